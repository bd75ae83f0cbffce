"""English nouns for people; how to read them is said in `nouns`."""

PEOPLE = """
student human               | new young tired clever foreign | from:=Vienna,=Lisbon with:laptop,backpack n:law,history @in:!library
professor human             | old famous friendly strict | of:=physics,=linguistics,=history
lecturer human              | young new popular | from:=Vienna,=Oslo n:guest
librarian human             | friendly patient helpful
tutor human                 | patient young new | n:writing
researcher human            | young experienced curious | from:=Oslo,!institute
colleague human rel         | new former friendly | from:!office,=Lisbon @in:!laboratory
friend human rel            | old good close | from:=school,=Prague @in:=Vienna
teacher human rel           | young strict patient | of:=history n:music,piano
pupil human rel             | young talented curious
cook human                  | young experienced famous | from:=Lisbon
waiter human                | polite tired young | with:apron
guest human rel             | late hungry cheerful important | from:=Oslo,=Lisbon @at:!table
baker human                 | old friendly busy | from:!village
tourist human               | young curious lost | with:camera,backpack from:=Prague,=Oslo @on:!bridge
traveller human             | tired young experienced | with:suitcase
passenger human             | angry tired sleepy | with:suitcase,ticket
inspector human             | strict polite | n:ticket
guide human                 | local young friendly | n:tour,mountain
driver human                | careful young tired | of:!taxi,!bus n:taxi,bus
man human male pl=men       | old tall young strange | with:umbrella,hat,dog,beard in:uniform,coat @on:!bridge
woman human female pl=women | old young tall elegant | with:umbrella,hat,camera in:coat,dress @at:!window
boy human male              | little shy cheerful | with:ball,kite in:coat @on:!bridge
girl human female           | little brave cheerful | with:dog,kite in:dress @on:!balcony
neighbour human rel         | old new nice noisy | @in:!house
officer human               | young polite friendly | in:uniform n:police
mayor human                 | new popular young | of:!village,!town
shopkeeper human            | friendly honest
architect human             | famous young | from:=Oslo,=Prague
journalist human            | young curious critical | from:!newspaper
actor human                 | famous young handsome
singer human                | famous young talented | from:=Prague n:opera @on:!stage
pianist human               | famous young gifted | from:=Vienna
violinist human             | talented young | in:!orchestra from:=Oslo
composer human              | famous unknown young
conductor human             | famous strict energetic | of:!orchestra
critic human                | strict clever | from:!newspaper n:music
musician human              | young talented poor | with:guitar,trumpet
mother human female kin     | young tired busy
father human male kin       | young busy proud
sister human female kin     | little older clever
brother human male kin      | little older funny
aunt human female kin       | rich favourite
uncle human male kin        | rich funny favourite
grandmother human female kin| old beloved
grandfather human male kin  | old wise
cousin human kin            | little funny older | from:=Lisbon
child human pl=children     | little curious happy sleepy | @on:!sofa @at:!window
gardener human              | old patient skilful
farmer human                | old busy hard-working | from:!village,!valley
hiker human                 | tired young lonely | with:backpack,map
ranger human                | young experienced | n:forest
manager human               | new young strict | of:!company,!hotel n:sales
engineer human              | young clever experienced | from:=Oslo n:software @in:!workshop
secretary human             | new friendly
assistant human rel         | new young reliable
customer human rel          | important angry regular | from:=Oslo,=Lisbon
director human              | new ambitious | of:!museum,!company
doctor human                | young friendly | from:!hospital
orchestra one                   | young famous | from:=Vienna,=Prague
choir one                       | small famous | of:!school,!church n:church,school
band one                        | young unknown loud | from:=Oslo n:rock,jazz
audience only                   | large enthusiastic
family one                      | large friendly | from:=Lisbon
class one                       | new small noisy | n:history,evening
company one                     | small young successful | from:=Oslo n:software
"""
