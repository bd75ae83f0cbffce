"""English events and states, by domain.

    verb | subjects | objects | adjuncts, adverbs, marks

`-` as subjects means the people of the domain; as objects, that there is none. A
particle is joined to its verb by an underscore (turn_off). `dat:` names who gets
something ("gave the child a toy"). Marks: `active` (has no good passive), `stative`
(has no progressive), `chance` (is not done on purpose),
`still` (leaves its object where it is).
"""

DOMAINS = """
[university] student professor lecturer librarian tutor researcher
read        | - | book article poem report novel | in:!library,!garden on:!train adv:carefully,slowly still
write       | student researcher tutor | essay thesis report letter poem | in:!library with:pencil,pen for:!magazine,friend adv:quickly
borrow      | student tutor researcher | book laptop dictionary pencil | from:!library,friend,librarian,colleague
explain     | professor lecturer tutor | theorem method experiment rule | to:student+,!class,pupil+ with:~drawing,~example adv:clearly,patiently
attend      | student researcher | lecture seminar course conference | with:friend,colleague at:!university
pass        | student | exam+ test | adv:easily,finally chance
correct     | tutor professor lecturer | essay+ mistake+ translation | with:pen,pencil on:!train in:!office adv:carefully still
discuss     | - | question+ result theory idea | with:colleague,tutor,student+ in:seminar,!corridor,!office adv:openly still
prepare     | - | talk seminar lecture experiment | for:!conference,!class with:colleague in:!laboratory
measure     | researcher student | temperature speed distance | with:sensor,instrument,ruler in:!laboratory from:!tower adv:precisely
observe     | researcher student professor | star planet bird+ !moon | with:telescope,binoculars from:!roof,!tower still
translate   | student tutor researcher | poem text letter novel | with:dictionary,friend into:=German,=Latin adv:quickly
hand_in     | student researcher | essay thesis form report | at:!office adv:late,punctually
look_up     | student tutor | word+ name | in:dictionary,book
answer      | professor tutor librarian | question letter | in:!seminar,!library with:~smile adv:patiently,politely still
print       | student secretary librarian | thesis report poster form | in:!library,!office
find        | student researcher librarian | book key pencil solution mistake | in:!library,!corridor under:!table active chance still
forget      | student lecturer | laptop umbrella password name | in:!library,!hall on:!train active chance
study       | student | - | *in:=Vienna,=Prague,!library with:friend adv:hard
give        | professor lecturer tutor | book dictionary example | *dat:student,!class,librarian
recommend   | professor tutor librarian | book novel article course | to:student,colleague adv:warmly
exam is     | long difficult
exam is     | easy short
lecture is  | long boring
lecture is  | brilliant short
library is  | quiet warm
library is  | crowded noisy
professor is | ill
professor is | busy
result is   | surprising clear
theory is   | wrong strange
[kitchen] cook waiter guest grandmother baker child
bake        | baker grandmother cook child | cake bread pie | for:guest+,child+,neighbour in:!oven,!kitchen with:=butter,grandmother
cut         | cook grandmother child | onion+ bread cake carrot+ | with:knife on:!table in:!kitchen adv:carefully still
peel        | cook grandmother child waiter | potato+ carrot+ apple+ | with:knife in:!kitchen for:soup,salad adv:slowly still
cook        | cook grandmother neighbour | soup =dinner fish rice | for:guest+,!family,friend+ with:=garlic,=butter on:!stove
eat         | guest child neighbour | soup cake salad fish | with:spoon,fork in:!kitchen,!garden adv:slowly,quickly still
drink       | guest cook neighbour | wine tea coffee juice | from:cup,glass in:!garden,!kitchen adv:slowly
serve       | waiter cook | soup wine coffee dessert | dat:guest+,!family with:~smile in:!garden adv:politely
order       | guest tourist | soup fish salad dessert | from:!menu for:child+ adv:quickly
wash        | waiter cook child | plate+ glass+ pan pot | in:!sink with:=soap,=water adv:carefully still
taste       | cook grandmother guest | soup sauce wine | with:spoon from:!pot adv:carefully still
fill        | waiter grandmother child | glass+ cup+ pot | *with:=water,=juice,=tea
break       | waiter child guest | plate glass cup | in:!kitchen active adv:accidentally chance
try_out     | cook baker grandmother | recipe oven knife | with:friend,neighbour in:!kitchen
write_down  | cook baker guest | recipe name | in:book for:friend,neighbour
buy         | cook grandmother neighbour | vegetable+ fish cheese bread potato+ | at:!market for:soup,salad,=dinner
put         | waiter cook child | plate pan pot cake | *on:!table,!stove adv:carefully
turn_off    | cook child grandmother | oven stove radio | adv:quickly still
invite      | cook grandmother neighbour | friend+ neighbour family | *to:=dinner,=lunch,party
pay         | guest tourist | bill | with:~smile adv:quickly
sit         | guest child neighbour | - | *at:!table in:!kitchen,!garden by:!window
soup is     | hot spicy
soup is     | cold salty
guest+ is   | hungry thirsty
oven is     | hot old
kitchen is  | small warm
knife is    | old blunt
dinner is   | ready
dinner is   | late
bread is    | fresh warm
[travel] tourist traveller passenger inspector guide driver
take        | tourist traveller passenger | train bus taxi ferry | to:!airport,=Vienna,!castle,!museum from:!station after:=breakfast active
miss        | passenger traveller tourist | train bus flight ferry | active chance
book        | traveller tourist passenger | room flight tour | for:!weekend,friend with:phone
visit       | tourist traveller guide | castle museum church island | with:friend,guide in:=summer,=autumn on:!weekend
pack        | traveller tourist passenger | suitcase bag | for:!journey,!weekend adv:quickly
carry       | driver traveller guide | suitcase bag tent | to:!station,!taxi,!hotel up:!mountain
photograph  | tourist traveller guide | castle bridge lighthouse | with:camera,phone from:boat,!tower,!balcony still
show        | guide inspector driver | map ticket photo castle | *dat:tourist,passenger,traveller
sell        | guide driver inspector | ticket+ map souvenir+ | dat:tourist+,passenger at:!station,!airport
lose        | passenger tourist traveller | passport ticket key map | at:!airport,!station on:!beach,!ferry in:!park active chance
reach       | traveller guide tourist | village island summit | by:=boat,=train before:=sunset active chance
cross       | traveller driver guide | !border river bridge | on:=foot by:=boat,=car with:guide at:=night
check       | inspector driver guide | ticket passport suitcase | at:!border,!airport on:!train adv:politely still
wait        | passenger tourist traveller | - | *for:bus,train,taxi,guide at:!station
arrive      | passenger tourist guide | - | *at:!station,!hotel by:=train,=boat adv:late,early,punctually
travel      | tourist traveller | - | *through:=Italy,=Spain by:=train,=car with:!family,friend
sleep       | traveller tourist driver | - | *in:tent,hotel on:!beach,!train adv:badly,well
repair      | driver guide | car bus bicycle boat | with:tool,screwdriver for:tourist at:!station still
admire      | tourist traveller passenger | view painting cathedral landscape | from:!bridge,!boat,!tower with:friend adv:silently still
find        | traveller guide tourist | hotel restaurant key | by:!river with:map,phone active adv:finally chance still
pick_up     | driver guide | passenger tourist suitcase friend | from:!airport,!station at:!hotel adv:punctually
train is    | slow late
hotel is    | full expensive
suitcase is | heavy old
journey is  | long tiring
bridge is     | narrow crowded
beach is    | empty quiet
[city] woman man neighbour mayor journalist shopkeeper officer
see         | - | man woman boy girl tourist dog | with:telescope,binoculars from:!balcony,!window in:!park stative still
meet        | woman man neighbour journalist | friend neighbour actor colleague | in:!park,!café at:!station,!market after:=work,=lunch
watch       | officer journalist neighbour boy | man woman pigeon+ tourist+ | with:binoculars,camera from:!roof,!window,!balcony adv:silently still
build       | architect mayor company | bridge house theatre hospital | in:!village,!town by:!river for:!town
paint       | neighbour woman man shopkeeper | wall fence door house | with:brush,friend on:!weekend adv:slowly still
sell        | shopkeeper woman | flower+ newspaper coat shirt bread | dat:tourist+,neighbour at:!market
buy         | woman man neighbour | flower+ newspaper coat dress | at:!market,!station for:mother,friend from:shopkeeper
open        | mayor architect actor | museum exhibition market theatre | with:~speech in:=summer adv:finally
park        | man woman driver journalist | car van bicycle | behind:!house,!church near:!station,!theatre
feed        | woman boy girl man | duck+ pigeon+ cat | with:bread in:!park by:!lake still
follow      | officer dog journalist | man tourist boy | through:!park,street+ with:camera adv:silently
interview   | journalist | mayor actor singer architect | about:!film,!future,!accident for:!newspaper in:!café
call        | officer woman neighbour | taxi ambulance doctor | with:phone after:!accident from:!café
walk        | woman man neighbour | - | *through:!park,!town with:dog,friend along:!river adv:slowly
live        | architect journalist man woman | - | *in:house,flat,=Prague with:!family,dog,cat stative
give_back   | neighbour officer shopkeeper | umbrella key bag | adv:politely,finally
criticise   | journalist mayor neighbour | plan speech film | in:!newspaper adv:openly
help        | officer neighbour boy | woman tourist man | with:suitcase,bag in:!street at:!station still
park is     | quiet green
street is   | narrow noisy
museum is   | closed
museum is   | open
film is     | long exciting
mayor is    | popular
mayor is    | ill
café is     | crowded noisy
[music] pianist singer violinist composer conductor musician
play        | pianist violinist child musician | sonata waltz song piece | on:!piano with:orchestra,friend for:guest+ in:!church at:!wedding adv:beautifully,softly
practise    | pianist violinist singer pupil | sonata song aria piece | with:teacher in:!studio before:!concert for:!concert adv:hard
compose     | composer conductor musician | opera song symphony waltz | for:orchestra,friend in:=Vienna,=summer at:!piano
sing        | singer choir child | song aria lullaby | in:!church,!garden at:!wedding with:!choir,friend for:child+ adv:softly,beautifully
conduct     | conductor composer | orchestra choir | with:baton in:=Vienna adv:energetically
record      | band singer orchestra pianist | album song sonata | in:studio with:!choir,musician for:!radio
tune        | pianist musician violinist | piano guitar violin | before:!concert,!rehearsal in:!hall for:!singer adv:carefully still
hear        | critic audience child | song concert voice | on:!radio in:!park from:!balcony stative still
teach       | pianist musician teacher singer | song melody piece | *dat:child,pupil,!class
praise      | critic journalist | singer album opera pianist | in:!newspaper,!review after:!concert adv:warmly
write       | critic composer journalist | review song melody | for:!newspaper,singer after:!concert with:pencil adv:quickly
repair      | musician violinist | violin guitar piano | with:=glue,tool in:workshop adv:carefully still
buy         | musician pianist pupil | guitar ticket+ violin piano | for:!concert,child from:friend in:shop
invite      | conductor composer band | singer critic violinist friend | *to:!concert,!rehearsal,party
perform     | band singer orchestra | song opera symphony waltz | in:!park,!hall on:stage at:!wedding with:!choir
applaud     | audience child critic | - | after:!aria,!concert adv:loudly,enthusiastically
dance       | singer child guest | - | to:!waltz on:!stage,!beach with:friend
concert is  | long wonderful
singer is   | nervous tired
hall is     | full cold
audience is | enthusiastic
audience is | silent
piano is    | old loud
song is     | sad beautiful
[home] mother father sister brother aunt uncle grandmother child
clean       | - | window+ room kitchen mirror | with:cloth,=soap,=water on:!weekend before:!party adv:thoroughly still
repair      | father uncle sister aunt | lamp chair bicycle clock | with:screwdriver,=glue in:!cellar,!kitchen for:neighbour adv:quickly still
close       | mother brother child | window door curtain+ | adv:quietly,quickly still
hang        | father aunt sister | picture mirror clock | *on:!wall above:!sofa adv:carefully
put         | mother brother child | vase lamp book parcel | *on:!shelf,!table adv:carefully
tell        | grandmother uncle father | story joke secret | *dat:child+,sister,friend
give        | aunt uncle grandmother | present book bicycle toy | *dat:child,sister,brother
send        | aunt uncle sister cousin | letter postcard parcel photo | *dat:mother,friend,cousin
read        | mother grandfather sister | story letter newspaper | dat:child+,brother on:!sofa in:!kitchen adv:aloud still
wake_up     | mother father child | brother child sister | with:~song,=music adv:gently,early
pick_up     | father aunt brother | child cousin parcel | from:!school,!station adv:punctually
pick_up     | child sister mother | toy+ book+ | from:!floor adv:quickly
watch       | - | film match | on:=television with:cousin,friend in:!kitchen still
turn_on     | mother brother uncle | lamp radio heater | in:!kitchen,!cellar still
water       | mother aunt neighbour | plant+ flower+ rose+ | on:!balcony,!weekend adv:regularly still
tidy_up     | child brother sister | room kitchen cellar | with:father before:!party adv:quickly
hide        | child brother grandmother | present key letter | in:!cellar,!garden behind:!curtain+,!sofa under:!chair
miss        | mother grandfather child | cat dog friend cousin | active stative chance
build       | father child uncle | shelf table kite | from:=wood with:hammer for:sister in:!cellar,!garden
buy         | mother father uncle | present lamp sofa cake | for:child,grandmother with:sister at:!market
lose        | child brother uncle | key toy umbrella | in:!garden,!park on:!beach active chance
sleep       | child brother cat dog | - | on:!sofa,!chair in:!garden adv:badly,well
child is    | tired happy
cellar is   | dark cold
clock is    | slow old
story is    | sad exciting
room is     | dark cold
grandmother is | ill
grandmother is | proud happy
[nature] gardener farmer hiker ranger child
plant       | gardener farmer child | tree rose+ bush | with:spade behind:!house along:!path in:!garden,=autumn
pick        | gardener child farmer | apple+ cherry+ flower+ mushroom+ | for:mother,neighbour in:!garden,!forest,!meadow with:ladder adv:carefully still
dig         | gardener child | hole | with:spade in:!garden,!meadow behind:!hut
dig         | dog fox | hole | in:!garden,!meadow behind:!hut
watch       | ranger hiker child | bird deer fox owl | with:binoculars from:!hill,!hut,!path adv:silently still
climb       | hiker child ranger | mountain hill tree | with:rope,friend before:=sunset,=breakfast in:=winter active adv:slowly
chase       | dog cat fox | mouse rabbit bird hen | through:!garden,!forest,!field around:!house,!pond still
milk        | farmer child | cow | before:=breakfast adv:early still
find        | hiker ranger child farmer | path mushroom+ horse bird | in:!forest,!valley with:dog,map under:!tree active chance still
hear        | hiker child farmer | owl stream fox | from:!hut,!path at:=night stative still
feed        | farmer child ranger | horse hen+ deer rabbit | with:hay,carrot+ in:!field,=winter adv:regularly still
cross       | hiker child | stream river | before:=sunset near:!hut with:rope adv:carefully
cross       | horse deer fox | stream meadow river | before:=sunset near:!hut
light       | hiker ranger farmer | fire | with:=wood in:!hut,!meadow by:!lake adv:carefully
build       | farmer ranger gardener | hut fence bench | from:=wood with:hammer near:!lake,!stream for:hiker+
photograph  | hiker ranger child | bird fox deer rose | with:camera,phone from:!bridge,!hut adv:patiently still
drive       | farmer gardener | tractor | through:!village,!valley over:!field,!bridge adv:slowly
cut_down    | gardener farmer ranger | tree bush | with:friend behind:!house in:=winter
rest        | hiker farmer horse | - | *under:!tree,!bridge on:bench in:!meadow after:=lunch
lead        | ranger farmer guide | horse child+ hiker | *through:!forest,!valley,!field to:!hut,!stream
draw        | child hiker | bird owl flower mountain | with:pencil in:book on:bench adv:patiently still
path is     | steep narrow
forest is   | dark quiet
horse is    | tired hungry
stream is   | cold deep
hut is      | empty cold
meadow is   | wet green
[work] manager engineer secretary assistant director customer
sign        | manager director customer | contract letter form plan | with:pen in:!office after:!meeting adv:reluctantly still
send        | secretary assistant manager | report email invoice plan | *dat:customer,director,colleague+
develop     | engineer assistant company | program machine product | for:customer,bank with:colleague in:=Oslo,!workshop
test        | engineer assistant | machine program engine product | in:!workshop with:computer,sensor,colleague before:!meeting adv:thoroughly still
present     | manager engineer director | plan product result idea | to:customer+,colleague+ at:!meeting,!conference with:poster adv:proudly
call        | manager secretary customer | colleague engineer director | about:!invoice,!contract,!problem from:!office,!train
write       | secretary manager assistant | email report letter | to:customer,director on:!train in:!office adv:quickly
hire        | director manager company | engineer assistant secretary | for:!office,!workshop in:=summer,=autumn
repair      | engineer assistant | printer computer machine engine | with:screwdriver,tool for:secretary,colleague in:!workshop adv:quickly still
cancel      | manager director secretary | meeting contract party | adv:reluctantly,suddenly
put_off     | manager director customer | meeting talk journey | adv:again
discuss     | - | plan price problem contract | with:customer,colleague,director at:!meeting in:!office adv:openly still
solve       | engineer assistant manager | problem | with:computer,colleague adv:elegantly,quickly still
install     | engineer assistant customer | program printer machine | in:!office,!workshop for:colleague adv:quickly
sell        | company manager | machine+ product car computer+ | dat:customer,bank at:conference
forget      | manager assistant customer | meeting password invoice bag | on:!train in:!office active chance
work        | engineer secretary assistant | - | *for:company,bank in:!workshop,=Vienna at:desk adv:hard
clear_up    | secretary assistant | office desk problem | after:!party,!meeting adv:quickly
order       | secretary director customer | printer chair+ desk lamp | for:!office from:company adv:online
negotiate   | manager director | contract price | with:company,customer in:=Vienna,!office adv:patiently
meeting is  | long boring
printer is  | slow loud
printer is  | broken
customer is | angry
customer is | satisfied
price is    | high
price is    | fair
plan is     | good simple
plan is     | risky
office is   | empty
office is   | small noisy
"""
