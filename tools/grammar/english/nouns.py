"""English nouns: marks, fitting adjectives, fitting attributes.

Marks: `human` (who, not which), `male`/`female` (he, she), `kin` (my aunt rather
than an aunt), `mass` (no plural, no "a"), `only` (always "the": the moon), `bare`
(no article at all: dinner, Vienna), `one` (no plural), `own` (somebody's),
`rel` (somebody is one to somebody: a friend), `name` (a proper noun), `pair` (plural only).
An irregular plural stands behind `pl=`. The attribute `n:` gives nouns that can
stand before this one: a history exam.
"""

THINGS = """
# university
book own                    | new thick old interesting | about:=history,star+,=Italy by:professor,journalist on:!shelf with:=picture+ n:history,library @on:!table
article                     | short long critical new | about:=climate,language+,robot+ on:=education in:newspaper,magazine @on:!desk
poem own                    | short famous beautiful | about:!sea,=autumn,=love by:friend
report                      | short detailed annual | on:!experiment,!accident about:!company,=traffic @on:!desk
essay own                   | short brilliant long | on:=democracy,=Shakespeare about:=language,=friendship
thesis pl=theses own        | long excellent | on:=syntax,=climate about:volcano+ n:master
letter own                  | long short secret kind | from:friend,!bank,aunt to:!mayor,!editor n:love @on:!desk @in:!bag
dictionary pl=dictionaries own| old thick | of:=slang,=Latin with:=picture+ @on:!shelf
laptop own                  | new old slow | with:sticker+ @on:!desk
pencil own                  | sharp red blunt | @in:!bag
pen own                     | red expensive new
theorem                     | famous difficult | of:=geometry
method                      | new simple useful | for:=translation+
experiment                  | dangerous simple famous | with:magnet+,=light,plant+ n:physics
rule                        | simple strict new | of:=grammar,!game
lecture                     | long boring brilliant | on:=syntax,=climate about:volcano+,=democracy n:evening at:!weekend
seminar                     | small interesting | on:=Shakespeare,=statistics at:!weekend
course                      | short popular new | in:=statistics,=Latin for:beginner+ n:language
exam                        | difficult easy final | in:=chemistry,=history n:history,chemistry on:=Monday,=Tuesday,=Friday,=Saturday
test                        | short easy difficult | n:grammar,vocabulary
mistake                     | small stupid serious | in:!text,!translation
question                    | simple strange difficult | about:!exam,planet+
result                      | surprising good clear | of:!experiment,!test n:test
theory pl=theories          | new bold strange | of:=evolution,=language
idea own                    | brilliant strange new | for:film,party
talk own                    | short brilliant | about:robot+,=poetry on:=climate at:!weekend
conference                  | large annual | in:=Lisbon,=Vienna on:=education at:!weekend
temperature                 | high low | of:!water,!air
speed                       | exact high | of:!train,!wind
distance                    | exact | between:!planet+
sensor                      | tiny new
instrument                  | new old precise
ruler                       | long
telescope own               | old large new | @on:!roof
binoculars pair own         | old new
star                        | bright distant | @over:!village
planet                      | distant unknown
moon only                   | full pale
text                        | long old difficult | about:pirate+,=friendship
novel                       | long exciting famous | about:pirate+,=love by:journalist n:crime
password own                | long secret
word                        | difficult strange rare
name                        | strange long
form                        | long complicated | @on:!desk
solution                    | simple elegant | to:!problem
poster own                  | huge colourful | for:!conference,!concert @in:!corridor @on:!wall
translation own             | good careful | of:!poem,!novel
example                     | good simple
drawing                     | simple funny | of:machine,bird
library pl=libraries        | old quiet large | of:!university n:university
laboratory pl=laboratories  | new modern
office own                  | small bright
university pl=universities  | old famous
institute                   | new famous | for:=physics
roof                        | flat old | of:!house,!tower
tower                       | old high | of:!church,!castle @by:!river
corridor                    | long dark
school                      | old new small | in:!village n:village,music
hall                        | large cold | n:concert,lecture
beginner human
# kitchen
cake                        | huge delicious fresh | with:cherry+,=cream from:!bakery n:chocolate,birthday @on:!table
bread mass                  | fresh dark warm | with:=butter,=cheese from:!bakery @on:!table
pie                         | warm delicious | with:apple+,=cream n:apple,cherry
onion                       | large red
carrot                      | fresh sweet
potato pl=potatoes          | large hot | for:!soup
apple                       | red ripe sweet | from:!garden @in:!bag @on:!tree
cherry pl=cherries          | ripe sweet | @on:!tree
soup                        | hot spicy thick | with:mushroom+,=rice n:tomato,onion @in:!pot
rice mass                   | hot white
fish mass                   | fresh fried | with:=rice,potato+ from:!market
salad                       | fresh green | with:egg+,=cheese
sauce                       | spicy thick hot | with:mushroom+,=garlic
wine mass                   | red cheap expensive | from:=Italy,=Spain for:!guest+
coffee mass                 | strong hot black | with:=milk,=sugar
tea mass                    | hot green | with:=lemon,=honey
juice mass                  | cold fresh | n:apple,orange
water mass                  | cold hot clear
dessert                     | sweet small | with:=cream,cherry+
dinner bare
breakfast bare
lunch bare
meal                        | light delicious cheap | for:family n:evening
plate                       | clean empty large | @in:!sink @on:!shelf
glass pl=glasses            | empty clean tall | @on:!table
cup own                     | small blue | n:coffee,tea @on:!shelf
pan                         | hot heavy | @on:!stove
pot                         | heavy huge | @on:!stove
knife pl=knives             | sharp long old | n:bread @on:!table
spoon                       | wooden large
fork                        | small silver
table                       | round long wooden | by:!window n:kitchen @in:!kitchen
stove                       | old hot
oven                        | old hot | @in:!kitchen
sink                        | deep old
recipe own                  | old simple secret | for:pie,soup,sauce from:grandmother,magazine
vegetable                   | fresh green | from:!garden,market for:!soup
cheese mass                 | old soft | from:=Spain,market
menu own                    | long new | with:=picture+
bill                        | high wrong | for:!meal
party pl=parties            | big loud small | in:!garden n:birthday,garden on:=Monday,=Tuesday,=Friday,=Saturday
smile                       | friendly warm
egg                         | fresh boiled
# travel
train                       | fast late old | to:=Vienna,=Prague from:=Lisbon n:night
bus pl=buses                | full late old | to:!airport,!village
taxi                        | yellow expensive
ferry pl=ferries            | white slow | to:!island
flight                      | long late cheap | to:=Oslo,=Lisbon from:=Vienna
ticket own                  | cheap expensive valid | for:!concert,!train,!ferry to:=Prague n:train
room own                    | quiet cheap bright | with:balcony,view in:!hotel n:hotel
tour                        | short expensive | of:!castle,!town through:!valley
castle                      | ruined famous old | on:!hill near:=Prague
museum                      | new famous small | of:=art,=music n:city,toy @near:!park
church pl=churches          | small white old | in:!village with:tower @near:!market
cathedral                   | famous gothic huge
island                      | small lonely green | with:lighthouse
village                     | small quiet remote | in:!mountain+,!valley
town                        | small pretty old | by:!sea,!river
summit                      | snowy high | of:!mountain
suitcase own                | heavy old red | @in:!car @on:!roof
bag own                     | heavy small | with:book+,apple+ n:leather @on:!chair
camera own                  | old expensive new | @in:!bag
phone own                   | new broken
map own                     | old detailed | of:!town,!island n:city @on:!wall
passport own                | old new
key own                     | small lost rusty | to:!office,!house,!room n:house @on:!table
souvenir                    | cheap ugly | from:=Prague
hotel                       | small cheap quiet | by:!lake,!station with:garden @near:!station
restaurant                  | small expensive | by:!river with:terrace @near:!theatre
station                     | old small busy | n:train,bus
airport                     | new large
bridge                      | narrow old long | over:!river n:stone @near:!village
border only
river                       | wide deep cold
car own                     | red old fast | with:trailer n:sports @behind:!house
bicycle own                 | old red broken | with:basket @in:!cellar
boat own                    | small white slow | n:fishing @on:!lake
tent own                    | small green wet | @in:!meadow
view                        | wonderful famous | from:!tower,!balcony of:!castle,!lake,!mountain+
painting                    | famous old valuable | of:woman,ship by:=Rembrandt in:!museum
weekend only
journey                     | long dangerous short | to:=Spain,!island through:=Italy
beach pl=beaches            | sunny empty
sea only                    | calm deep
lake                        | deep clear
mountain                    | high snowy | @behind:!lake
lighthouse                  | white old | @on:!island
tool                        | old useful
landscape                   | beautiful green
sunset bare
# city
coat own                    | long warm black | n:winter for:!winter
dress pl=dresses own        | red elegant | for:!wedding
umbrella own                | black red broken
hat own                     | old funny red
uniform own                 | blue new
dog own                     | big lazy brown | n:guard @in:!garden
cat own                     | black lazy | @on:!sofa
beard                       | long grey
house own                   | old small yellow | with:garden by:!lake @near:!lake
flat own                    | small bright expensive | with:balcony
park                        | small green quiet | by:!river n:city
street                      | narrow busy dark
wall                        | white high old | of:!kitchen @in:!garden
fence                       | wooden old high | around:!garden
brush pl=brushes            | broad thin
newspaper                   | local old | from:=Prague @on:!table
flower                      | red fresh wild | @on:!balcony for:mother
shirt own                   | white clean
exhibition                  | small interesting | of:=painting+,=photo+ n:photo on:=Monday,=Tuesday,=Friday,=Saturday
market                      | small noisy | in:!town n:fish,flower
speech pl=speeches          | short boring moving | about:!future
van                         | white old
duck                        | hungry fat | @on:!lake
pigeon                      | hungry grey | @on:!roof
accident                    | bad strange | near:!station on:!bridge @in:!street
film                        | long exciting sad | about:pirate+,singer with:actor n:horror
ambulance
balcony pl=balconies own    | small sunny
window                      | large open small | @in:!cellar
café                        | small crowded | by:!station
photo own                   | old funny | of:!family,!sea n:family @in:!album @on:!wall
hospital                    | new large
bank                        | small old
shop                        | tiny new | n:toy,flower @in:!village
theatre                     | old small | n:city @in:!town
# music
sonata                      | difficult beautiful | for:=piano,=violin by:=Mozart
song                        | sad old beautiful | about:=love,!sea by:band n:folk for:child+ @in:!film
waltz pl=waltzes            | slow famous | by:=Strauss
opera                       | long new famous | about:=love,king by:=Verdi
symphony pl=symphonies      | long famous | by:=Haydn
aria                        | sad famous | from:!opera @in:!opera
lullaby pl=lullabies        | soft old
melody pl=melodies          | simple sad lovely
piece                       | difficult short | for:=piano,orchestra n:piano @on:!album
album own                   | new successful | by:band with:song+
piano own                   | old black new | @in:!hall
guitar own                  | old new red | @on:!stage
violin own                  | old precious | @in:!shop
trumpet own                 | shiny loud
concert                     | long wonderful | for:child+ in:!church,!park n:piano,summer on:=Monday,=Tuesday,=Friday,=Saturday @at:!university
review                      | long bad enthusiastic | of:!concert,!opera,!album in:!newspaper
studio                      | small modern
radio own                   | old loud | @in:!kitchen
stage                       | large dark
baton                       | thin
rehearsal                   | long tiring | for:!concert n:choir on:=Monday,=Tuesday,=Friday,=Saturday
wedding                     | big wonderful |  on:=Monday,=Tuesday,=Friday,=Saturday
voice own                   | deep clear warm
king                        | old cruel
# home
curtain                     | green heavy | @in:!room
door                        | heavy green | of:!house n:cellar to:!garden
picture                     | colourful old | of:horse,grandmother @on:!wall
mirror own                  | old round | @in:!corridor @on:!wall
lamp own                    | small old bright | n:desk @in:!kitchen @on:!desk
chair own                   | wooden old | n:kitchen @in:!garden
sofa own                    | soft old | @by:!window
vase                        | blue old expensive | with:flower+,rose+ @on:!table
shelf pl=shelves            | high narrow | with:book+ n:book @in:!cellar
story pl=stories            | exciting long sad | about:dragon,ghost+,pirate+
joke                        | old silly | about:doctor+
secret                      | dark old
present own                 | small expensive | for:mother,friend from:uncle
postcard                    | funny old | from:=Spain,!beach
parcel                      | heavy large | from:aunt,=Oslo with:book+
toy own                     | broken new | @on:!floor @under:!sofa
match pl=matches            | exciting important | against:=Spain n:tennis on:=Monday,=Tuesday,=Friday,=Saturday
heater                      | old small
plant                       | green rare | @on:!balcony @by:!window
cloth                       | wet soft
screwdriver                 | small long
glue mass
soap mass
television bare
kitchen own                 | small warm bright
garden own                  | large wild lovely | behind:!house with:pond
cellar                      | dark cold
birthday                    | happy
clock                       | old loud | on:!wall n:kitchen @in:!hall
# nature
tree                        | old tall young | in:!garden n:apple,cherry @behind:!house
rose                        | red white wild | @by:!fence
bush pl=bushes              | thick green | @along:!path
spade                       | rusty
hole                        | deep small | @in:!wall,!fence
bird                        | small rare colourful | @in:!tree @on:!roof
deer pl=deer                | shy young | @in:!meadow
fox pl=foxes                | red clever | @behind:!hut
mouse pl=mice               | small grey | @in:!cellar
rabbit                      | white little | @in:!field
horse own                   | brown young | @in:!meadow
cow own                     | brown old | @in:!meadow
hen                         | white fat | @in:!garden
owl                         | old brown | @in:!tree
hill                        | green steep | @near:!village
hut own                     | small wooden old | in:!mountain+,!forest @by:!stream
forest                      | dark quiet | behind:!village
valley                      | green narrow
path                        | narrow steep | through:!forest to:!summit
stream                      | small cold | @in:!valley
meadow                      | green wet
mushroom                    | edible small | @under:!tree
rope                        | long strong
hay mass                    | dry
wood mass                   | dry
hammer                      | heavy
ladder                      | long wooden
fire                        | small warm | @in:!hut
tractor own                 | old green | @in:!field
field                       | wide green
bench pl=benches            | wooden old | in:!park under:!tree
# work
contract                    | new long | with:company,customer @on:!desk
email                       | short long angry | about:!meeting,!invoice from:!manager,customer
invoice                     | high wrong | for:printer,machine @on:!desk
program                     | new simple useful | for:child+,bank n:computer @on:!computer
machine                     | new huge expensive | n:coffee,washing @in:!workshop
engine                      | loud new | of:!car
plan own                    | bold good secret | for:bridge,!summer
meeting                     | long short important | with:customer+,!director about:!plan on:=Monday,=Tuesday,=Friday,=Saturday
printer own                 | slow new broken | in:!office,!corridor @on:!desk
problem                     | serious small difficult | with:!engine,!printer @in:!workshop
computer own                | fast old new | @on:!desk
workshop                    | small loud
desk own                    | tidy large | by:!window @in:!office
product                     | new cheap useful | for:!market
price                       | high fair | of:!product
future only
summer bare                 | long hot
# what only attributes name
law bare
history bare
physics bare
linguistics bare
writing bare
chemistry bare
syntax bare
statistics bare
grammar bare
vocabulary bare
geometry bare
evolution bare
democracy bare
education bare
climate bare
language bare
friendship bare
love bare
poetry bare
slang bare
traffic bare
art bare
music bare
autumn bare
light bare
sugar bare
milk bare
honey bare
lemon
garlic bare
butter bare
cream bare
foot bare
work bare
editor human
bakery pl=bakeries
master human
crime bare
volcano pl=volcanoes        | active
robot
pirate human
magnet
air mass
wind only
game
sticker
backpack                    | heavy
apron
ball
kite own
trailer
basket
terrace
pond
dragon
ghost
ship
chocolate bare
leather bare
floor
tomato pl=tomatoes
orange
evening
night
winter bare
city pl=cities
stone
fishing bare
sports bare
rock bare
jazz bare
folk bare
horror bare
tennis bare
guard human
police bare
sales bare
software bare
washing bare
magazine                    | old new
Latin bare name
German bare name
Vienna bare name
Prague bare name
Lisbon bare name
Oslo bare name
Italy bare name
Spain bare name
Shakespeare bare name
Rembrandt bare name
Mozart bare name
Strauss bare name
Verdi bare name
Haydn bare name
Monday bare name
Tuesday bare name
Friday bare name
Saturday bare name
"""
