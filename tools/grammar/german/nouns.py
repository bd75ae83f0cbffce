"""German nouns: forms, marks, fitting adjectives, fitting attributes.

    Lemma gender genitive plural marks | adjectives | attributes

The genitive is an ending (`-` for none), the plural the whole word. Marks: `human`,
`weak` (den Studenten, dem Studenten), `kin` (meine Tante rather than eine Tante),
`rel` (somebody is one to somebody: a friend), `own` (somebody's), `mass` (no plural,
no "ein"), `only` (always with "der": der Mond), `bare` (without an article),
`one` (no plural), `name` (a proper noun). Attributes name the case behind
prepositions that have two (`über+A:=Geschichte`); `gen:` is the plain genitive.
"""

THINGS = """
# university
Buch n -es Bücher own                   | neu dick alt spannend | über+A:=Geschichte,Vulkan+,=Italien mit:=Bild+ von:Freundin,Journalist @auf+D:!Tisch @in+D:!Regal
Artikel m -s Artikel                    | kurz lang kritisch neu | über+A:=Sprache,Roboter+ in+D:!Zeitung @auf+D:!Schreibtisch
Gedicht n -s Gedichte own               | kurz berühmt schön | über+A:!Meer,!Herbst von:Freund
Bericht m -s Berichte                   | kurz ausführlich | über+A:!Unfall,!Versuch @auf+D:!Schreibtisch
Aufsatz m -es Aufsätze own              | kurz lang glänzend | über+A:=Demokratie,=Freundschaft
Doktorarbeit f - Doktorarbeiten own     | lang ausgezeichnet | über+A:=Syntax,=Vulkan+
Brief m -es Briefe own                  | lang kurz geheim | von:Freund,!Bank,Tante an+A:!Bürgermeisterin @auf+D:!Schreibtisch @in+D:!Tasche
Wörterbuch n -s Wörterbücher own        | alt dick | mit:=Bild+ @in+D:!Regal
Laptop m -s Laptops own                 | neu alt langsam | mit:=Aufkleber+ @auf+D:!Schreibtisch
Bleistift m -s Bleistifte own           | spitz rot stumpf | @in+D:!Tasche
Kugelschreiber m -s Kugelschreiber own  | rot neu
Regel f - Regeln                        | einfach streng neu | gen:!Grammatik,!Spiel
Methode f - Methoden                    | neu einfach nützlich | für:=Übersetzung+
Versuch m -s Versuche                   | gefährlich einfach | mit:=Magnet+,=Licht
Vorlesung f - Vorlesungen               | lang langweilig glänzend | über+A:=Syntax,=Vulkan+ an+D:!Montag,!Dienstag,!Freitag,!Samstag
Seminar n -s Seminare                   | klein interessant | über+A:=Demokratie zu:=Goethe an+D:!Montag,!Dienstag,!Freitag,!Samstag
Kurs m -es Kurse                        | kurz beliebt neu | für:=Anfänger+ in+D:=Statistik
Prüfung f - Prüfungen                   | schwierig leicht | in+D:=Chemie,=Geschichte an+D:!Montag,!Dienstag,!Freitag,!Samstag
Fehler m -s Fehler own                  | klein dumm schwer | in+D:!Text,!Übersetzung
Frage f - Fragen own                    | einfach seltsam schwierig | nach:!Ergebnis zu:!Prüfung
Ergebnis n -ses Ergebnisse own          | überraschend gut | gen:!Versuch,!Prüfung
Theorie f - Theorien own                | neu kühn seltsam | gen:!Sprache
Idee f - Ideen own                      | gut seltsam neu | für:Film,Fest
Vortrag m -s Vorträge own               | kurz glänzend | über+A:=Roboter+,=Lyrik an+D:!Montag,!Dienstag,!Freitag,!Samstag
Tagung f - Tagungen                     | groß jährlich | in+D:=Lissabon,=Wien an+D:!Montag,!Dienstag,!Freitag,!Samstag
Temperatur f - Temperaturen             | hoch niedrig | gen:!Wasser,!Luft
Geschwindigkeit f - Geschwindigkeiten   | genau hoch | gen:!Zug,!Wind
Sensor m -s Sensoren                    | winzig neu
Lineal n -s Lineale                     | lang
Fernrohr n -s Fernrohre own             | alt groß neu | @auf+D:!Dach
Stern m -s Sterne                       | hell fern | @über+D:!Dorf
Planet m -en Planeten weak              | fern unbekannt
Mond m -es Monde only                   | voll blass
Text m -es Texte                        | lang alt schwierig | über+A:=Pirat+,=Freundschaft
Roman m -s Romane own                   | lang spannend berühmt | über+A:=Pirat+ von:Journalist
Passwort n -s Passwörter own            | lang geheim
Wort n -es Wörter                       | schwierig seltsam selten
Name m -ns Namen weak                   | seltsam lang
Formular n -s Formulare                 | lang kompliziert | @auf+D:!Schreibtisch
Lösung f - Lösungen                     | einfach elegant | für:!Problem
Plakat n -s Plakate                     | groß bunt | für:!Tagung,!Konzert @in+D:!Flur @an+D:!Wand
Übersetzung f - Übersetzungen own       | gut sorgfältig | gen:!Gedicht,!Roman
Beispiel n -s Beispiele                 | gut einfach
Zeichnung f - Zeichnungen own           | einfach lustig | von:Maschine,Vogel
Bibliothek f - Bibliotheken             | alt ruhig groß | gen:!Universität
Labor n -s Labore                       | neu modern
Büro n -s Büros own                     | klein hell
Universität f - Universitäten           | alt berühmt
Institut n -s Institute                 | neu berühmt
Dach n -es Dächer                       | flach alt | gen:!Haus,!Turm
Turm m -es Türme                        | alt hoch | gen:!Kirche,!Burg @an+D:!Fluss
Flur m -es Flure                        | lang dunkel
Schule f - Schulen                      | alt neu klein | in+D:!Dorf
Saal m -es Säle                         | groß kalt
# kitchen
Kuchen m -s Kuchen                      | groß lecker frisch | mit:=Kirsche+,=Sahne aus:!Bäckerei @auf+D:!Tisch
Brot n -es Brote                        | frisch dunkel warm | mit:=Butter,=Käse aus:!Bäckerei @auf+D:!Tisch
Zwiebel f - Zwiebeln                    | groß rot
Karotte f - Karotten                    | frisch süß
Kartoffel f - Kartoffeln                | groß heiß | für:!Suppe
Apfel m -s Äpfel                        | rot reif süß | aus:!Garten @in+D:!Tasche @an+D:!Baum
Kirsche f - Kirschen                    | reif süß | @an+D:!Baum
Suppe f - Suppen                        | heiß scharf dick | mit:=Pilz+,=Reis @in+D:!Topf
Reis m -es - mass                       | heiß
Fisch m -es Fische                      | frisch gebraten | mit:=Reis,=Kartoffel+
Salat m -es Salate                      | frisch grün | mit:=Ei+,=Käse
Soße f - Soßen                          | scharf dick heiß | mit:=Pilz+,=Knoblauch
Wein m -es - mass                       | rot teuer | aus:=Italien,=Spanien für:!Gast+
Kaffee m -s - mass                      | stark heiß schwarz | mit:=Milch,=Zucker
Tee m -s - mass                         | heiß grün | mit:=Zitrone,=Honig
Saft m -es - mass                       | kalt frisch
Wasser n -s - mass                      | kalt heiß klar
Nachtisch m -es Nachtische              | süß klein | mit:=Sahne,=Kirsche+
Abendessen n -s Abendessen              | spät lecker
Mittagessen n -s Mittagessen            | warm leicht
Frühstück n -s -                        | spät gut
Teller m -s Teller                      | sauber leer groß | @auf+D:!Tisch @in+D:!Regal
Glas n -es Gläser                       | leer sauber | @auf+D:!Tisch
Tasse f - Tassen                        | klein blau | @in+D:!Regal
Pfanne f - Pfannen                      | heiß schwer | @auf+D:!Herd
Topf m -es Töpfe                        | schwer groß | @auf+D:!Herd
Messer n -s Messer                      | scharf lang alt | @auf+D:!Tisch
Löffel m -s Löffel                      | groß
Gabel f - Gabeln                        | klein
Tisch m -es Tische                      | rund lang | an+D:!Fenster
Herd m -es Herde                        | alt heiß | @in+D:!Küche
Ofen m -s Öfen                          | alt heiß | @in+D:!Küche
Rezept n -s Rezepte own                 | alt einfach geheim | für:Suppe,Kuchen von:Großmutter
Gemüse n -s - mass                      | frisch grün | aus:!Garten von:!Markt für:!Suppe
Käse m -s - mass                        | alt weich | aus:=Spanien
Rechnung f - Rechnungen own             | hoch falsch | für:!Essen,!Drucker @auf+D:!Tisch
Fest n -es Feste                        | groß laut klein | in+D:!Garten an+D:!Montag,!Dienstag,!Freitag,!Samstag
Lächeln n -s - one                      | freundlich warm
Ei n -s Eier                            | frisch gekocht
Küche f - Küchen                        | klein warm hell
# travel
Zug m -es Züge                          | schnell lang alt | nach:=Wien,=Prag aus:=Lissabon
Bus m -ses Busse                        | voll alt | nach:=Prag zu:!Flughafen @vor+D:!Bahnhof
Taxi n -s Taxis                         | gelb teuer | @vor+D:!Hotel
Fähre f - Fähren                        | weiß langsam | zu:!Insel
Flug m -es Flüge                        | lang billig | nach:=Oslo,=Lissabon aus:=Wien
Fahrkarte f - Fahrkarten own            | billig teuer gültig | nach:=Prag für:!Zug,!Fähre
Eintrittskarte f - Eintrittskarten own  | teuer billig | für:!Konzert,!Museum
Zimmer n -s Zimmer own                  | ruhig billig hell | mit:Balkon in+D:!Hotel
Burg f - Burgen                         | zerstört berühmt alt | auf+D:!Hügel bei:=Prag
Museum n -s Museen                      | neu berühmt klein | @in+D:!Park
Kirche f - Kirchen                      | klein weiß alt | in+D:!Dorf @an+D:!Markt
Dom m -es Dome                          | berühmt gotisch
Insel f - Inseln                        | klein einsam grün | mit:Leuchtturm
Dorf n -es Dörfer                       | klein ruhig abgelegen | in+D:!Berg+,!Tal
Stadt f - Städte                        | klein hübsch alt | an+D:!Meer,!Fluss
Gipfel m -s Gipfel                      | verschneit hoch | gen:!Berg
Koffer m -s Koffer own                  | schwer alt rot | @in+D:!Auto @auf+D:!Dach
Tasche f - Taschen own                  | schwer klein | mit:=Buch+,=Apfel+ @auf+D:!Stuhl
Kamera f - Kameras own                  | alt teuer neu | @in+D:!Tasche
Handy n -s Handys own                   | neu kaputt
Karte f - Karten own                    | alt genau | von:!Stadt,!Insel @an+D:!Wand
Stadtplan m -s Stadtpläne own           | alt neu | von:=Prag
Pass m -es Pässe own                    | alt neu
Schlüssel m -s Schlüssel own            | klein rostig | zu:!Büro,!Zimmer @auf+D:!Tisch
Andenken n -s Andenken                  | billig hässlich | aus:=Prag
Hotel n -s Hotels                       | klein billig ruhig | an+D:!See,!Bahnhof @bei:!Bahnhof
Bahnhof m -s Bahnhöfe                   | alt klein
Flughafen m -s Flughäfen                | neu groß
Brücke f - Brücken                      | schmal alt lang | über+A:!Fluss @bei:!Dorf
Grenze f - Grenzen only                 |
Fluss m -es Flüsse                      | breit tief kalt
Auto n -s Autos own                     | rot alt schnell | @hinter+D:!Haus @vor+D:!Bahnhof
Fahrrad n -s Fahrräder own              | alt rot kaputt | mit:Korb @in+D:!Keller @vor+D:!Haus
Boot n -es Boote own                    | klein weiß langsam | @auf+D:!See
Zelt n -es Zelte own                    | klein grün nass | @auf+D:!Wiese
Aussicht f - Aussichten one             | wunderbar berühmt | von:!Turm,!Balkon auf+A:!Burg,!See
Gemälde n -s Gemälde                    | berühmt alt wertvoll | von:=Dürer in+D:!Museum
Reise f - Reisen own                    | lang gefährlich kurz | nach:=Spanien,=Italien zu:!Insel
Strand m -es Strände                    | sonnig leer
Meer n -es Meere only                   | ruhig tief
See m -s Seen                           | tief klar
Berg m -es Berge                        | hoch verschneit | @hinter+D:!See
Leuchtturm m -s Leuchttürme             | weiß alt | @auf+D:!Insel
Werkzeug n -s Werkzeuge                 | alt nützlich
Landschaft f - Landschaften             | schön grün
# city
Mantel m -s Mäntel own                  | lang warm schwarz | für:!Winter
Kleid n -es Kleider own                 | rot elegant | für:!Hochzeit
Schirm m -s Schirme own                 | schwarz rot kaputt
Hut m -es Hüte own                      | alt lustig rot
Uniform f - Uniformen own               | blau neu
Hund m -es Hunde own                    | groß faul braun | @in+D:!Garten @vor+D:!Tür
Katze f - Katzen own                    | schwarz faul | @auf+D:!Sofa
Bart m -es Bärte                        | lang grau
Haus n -es Häuser own                   | alt klein gelb | mit:Garten an+D:!See
Wohnung f - Wohnungen own               | klein hell teuer | mit:Balkon
Park m -s Parks                         | klein grün ruhig | an+D:!Fluss @hinter+D:!Museum
Straße f - Straßen                      | schmal laut dunkel
Wand f - Wände                          | weiß hoch | @in+D:!Flur
Zaun m -es Zäune                        | alt hoch | um:!Garten
Pinsel m -s Pinsel                      | breit dünn
Zeitung f - Zeitungen own               | alt | aus:=Prag,=Wien @auf+D:!Tisch
Blume f - Blumen                        | rot frisch wild | @auf+D:!Balkon für:Mutter
Hemd n -es Hemden own                   | weiß sauber
Ausstellung f - Ausstellungen           | klein interessant | mit:=Gemälde+,=Foto+ an+D:!Montag,!Dienstag,!Freitag,!Samstag
Markt m -es Märkte                      | klein laut
Rede f - Reden own                      | kurz langweilig bewegend | über+A:!Zukunft
Ente f - Enten                          | hungrig dick | @auf+D:!See
Taube f - Tauben                        | hungrig grau | @auf+D:!Dach
Unfall m -s Unfälle                     | schwer seltsam | auf+D:!Brücke bei:!Bahnhof @auf+D:!Straße
Film m -es Filme                        | lang spannend traurig | über+A:=Pirat+,Sängerin mit:Schauspieler
Balkon m -s Balkone own                 | klein sonnig
Fenster n -s Fenster                    | groß offen klein | @in+D:!Keller @in+D:!Küche
Café n -s Cafés                         | klein voll
Foto n -s Fotos own                     | alt lustig | von:!Familie,!Meer @an+D:!Wand
Krankenhaus n -es Krankenhäuser         | neu groß
Bank f - Banken                         | klein alt
Geschäft n -s Geschäfte                 | winzig neu | @in+D:!Dorf
Theater n -s Theater                    | alt klein | @in+D:!Stadt
Wochenende n -s Wochenenden             | lang
# music
Sonate f - Sonaten                      | schwierig schön | für:=Klavier,=Geige von:=Mozart
Lied n -es Lieder                       | traurig alt schön | über+A:!Meer von:!Band für:=Kind+ aus:!Film
Walzer m -s Walzer                      | langsam berühmt | von:=Strauß
Oper f - Opern                          | lang neu berühmt | von:=Verdi über+A:König
Sinfonie f - Sinfonien                  | lang berühmt | von:=Haydn
Arie f - Arien                          | traurig berühmt | aus:!Oper
Melodie f - Melodien                    | einfach traurig
Stück n -es Stücke                      | schwierig kurz | für:=Klavier,=Orchester @auf+D:!Album
Album n -s Alben                        | neu erfolgreich | von:!Band mit:=Lied+
Klavier n -s Klaviere own               | alt schwarz neu | @in+D:!Saal
Gitarre f - Gitarren own                | alt neu rot | @auf+D:!Bühne
Geige f - Geigen own                    | alt kostbar | @in+D:!Geschäft
Trompete f - Trompeten own              | laut
Konzert n -s Konzerte                   | lang wunderbar | für:=Kind+ in+D:!Kirche,!Park an+D:!Montag,!Dienstag,!Freitag,!Samstag
Studio n -s Studios                     | klein modern
Radio n -s Radios own                   | alt laut | @in+D:!Küche
Bühne f - Bühnen                        | groß dunkel
Probe f - Proben                        | lang anstrengend | für:!Konzert an+D:!Montag,!Dienstag,!Freitag,!Samstag
Hochzeit f - Hochzeiten                 | groß wunderbar | an+D:!Montag,!Dienstag,!Freitag,!Samstag
Stimme f - Stimmen own                  | tief klar warm | @in+D:!Radio
König m -s Könige human                 | alt grausam
# home
Tür f - Türen                           | schwer grün | gen:!Haus zu:!Garten
Bild n -es Bilder own                   | bunt alt | von:Pferd,Großmutter @an+D:!Wand
Spiegel m -s Spiegel own                | alt rund | @in+D:!Flur @an+D:!Wand
Lampe f - Lampen own                    | klein alt hell | @in+D:!Küche @auf+D:!Schreibtisch
Stuhl m -es Stühle own                  | alt bequem | @in+D:!Garten
Sofa n -s Sofas own                     | weich alt | @an+D:!Fenster
Vase f - Vasen own                      | blau alt teuer | mit:=Blume+,=Rose+ @auf+D:!Tisch
Regal n -s Regale                       | hoch schmal | mit:=Buch+ @in+D:!Keller
Geschichte f - Geschichten              | spannend lang traurig | über+A:Drache,=Gespenst+ von:=Pirat+
Witz m -es Witze                        | alt albern | über+A:=Arzt+
Geheimnis n -ses Geheimnisse own        | dunkel alt
Geschenk n -s Geschenke own             | klein teuer | für:Mutter,Freundin von:Onkel
Postkarte f - Postkarten                | lustig alt | aus:=Spanien,=Italien
Paket n -s Pakete own                   | schwer groß | aus:=Oslo von:Tante
Spielzeug n -s Spielzeuge own           | kaputt neu | @unter+D:!Sofa
Heizung f - Heizungen                   | alt | @in+D:!Keller
Pflanze f - Pflanzen own                | grün selten | @auf+D:!Balkon @an+D:!Fenster
Tuch n -es Tücher                       | nass weich
Schraubenzieher m -s Schraubenzieher    | klein lang
Garten m -s Gärten own                  | groß wild schön | hinter+D:!Haus mit:Teich
Keller m -s Keller                      | dunkel kalt
Uhr f - Uhren own                       | alt laut | an+D:!Wand
Spiel n -s Spiele                       | spannend wichtig | gegen:=Spanien an+D:!Montag,!Dienstag,!Freitag,!Samstag
# nature
Baum m -es Bäume                        | alt hoch jung | in+D:!Garten @hinter+D:!Haus
Rose f - Rosen                          | rot weiß wild | @an+D:!Zaun
Strauch m -es Sträucher                 | dicht grün | @an+D:!Weg
Spaten m -s Spaten                      | rostig
Loch n -es Löcher                       | tief klein | @in+D:!Zaun,!Wand
Vogel m -s Vögel                        | klein selten bunt | @auf+D:!Dach @in+D:!Baum
Reh n -s Rehe                           | scheu jung | @auf+D:!Wiese
Fuchs m -es Füchse                      | rot schlau | @hinter+D:!Hütte
Maus f - Mäuse                          | klein grau | @in+D:!Keller
Hase m -n Hasen weak                    | braun jung | @auf+D:!Wiese
Pferd n -es Pferde own                  | braun jung | @auf+D:!Wiese
Kuh f - Kühe own                        | braun alt | @auf+D:!Wiese
Huhn n -es Hühner own                   | weiß dick | @in+D:!Garten
Eule f - Eulen                          | alt braun | @in+D:!Baum
Hügel m -s Hügel                        | grün steil | @bei:!Dorf
Hütte f - Hütten                        | klein alt | in+D:!Berg+,!Wald @an+D:!Bach
Wald m -es Wälder                       | dunkel ruhig | hinter+D:!Dorf
Tal n -es Täler                         | grün eng
Weg m -es Wege                          | schmal steil | durch:!Wald zu:!Gipfel
Bach m -es Bäche                        | klein kalt | @in+D:!Tal
Wiese f - Wiesen                        | grün nass
Pilz m -es Pilze                        | essbar klein | @unter+D:!Baum
Seil n -es Seile                        | lang stark
Heu n -s - mass                         | trocken
Holz n -es - mass                       | trocken
Hammer m -s Hämmer                      | schwer
Leiter f - Leitern                      | lang
Feuer n -s Feuer                        | klein | @in+D:!Hütte
Traktor m -s Traktoren own              | alt grün | @hinter+D:!Hütte
Parkbank f - Parkbänke                  | alt | unter+D:!Baum in+D:!Park
Teich m -es Teiche                      | klein tief
# work
Vertrag m -s Verträge                   | neu lang | mit:Firma,Kunde @auf+D:!Schreibtisch
E-Mail f - E-Mails own                  | kurz lang | über+A:!Sitzung von:!Chefin
Programm n -s Programme own             | neu einfach nützlich | für:=Kind+,!Bank @auf+D:!Computer
Maschine f - Maschinen                  | neu groß teuer | aus:=Oslo @in+D:!Werkstatt
Motor m -s Motoren                      | laut neu | gen:!Auto
Plan m -es Pläne own                    | kühn gut geheim | für:Brücke,!Fest
Sitzung f - Sitzungen                   | lang kurz wichtig | mit:!Direktor,=Kunde+ an+D:!Montag,!Dienstag,!Freitag,!Samstag
Drucker m -s Drucker own                | langsam neu kaputt | in+D:!Büro,!Flur @auf+D:!Schreibtisch
Problem n -s Probleme own               | ernst klein schwierig | mit:!Motor,!Drucker @in+D:!Werkstatt
Computer m -s Computer own              | schnell alt neu | @auf+D:!Schreibtisch
Werkstatt f - Werkstätten               | klein laut
Schreibtisch m -es Schreibtische own    | ordentlich groß | an+D:!Fenster @in+D:!Büro
Produkt n -s Produkte                   | neu billig nützlich
Preis m -es Preise                      | hoch fair | gen:!Produkt
Zukunft f - - only                      |
# what only attributes and adjuncts name
Physik f - - bare
Chemie f - - bare
Linguistik f - - bare
Syntax f - - bare
Statistik f - - bare
Sprache f - Sprachen bare
Demokratie f - - bare
Freundschaft f - - bare
Lyrik f - - bare
Grammatik f - - only
Licht n -s - bare
Luft f - - only
Wind m -es - only
Herbst m -es - only
Sommer m -s - only
Winter m -s - only
Sahne f - - bare
Butter f - - bare
Knoblauch m -s - bare
Milch f - - bare
Zucker m -s - bare
Zitrone f - Zitronen
Honig m -s - bare
Seife f - - bare
Bäckerei f - Bäckereien
Essen n -s - one
Schürze f - Schürzen
Rucksack m -s Rucksäcke own             | schwer
Ball m -es Bälle
Drache m -n Drachen weak
Drachen m -s Drachen                    | bunt
Korb m -es Körbe
Terrasse f - Terrassen
Aufkleber m -s Aufkleber
Anfänger m -s Anfänger human
Magnet m -en Magneten weak
Vulkan m -s Vulkane
Roboter m -s Roboter
Pirat m -en Piraten human weak
Gespenst n -es Gespenster
Sonnenuntergang m -s Sonnenuntergänge
Wien n -s - bare name
Prag n -s - bare name
Oslo n -s - bare name
Lissabon n -s - bare name
Italien n -s - bare name
Spanien n -s - bare name
Goethe m -s - bare name
Dürer m -s - bare name
Mozart m -s - bare name
Strauß m - - bare name
Verdi m -s - bare name
Haydn m -s - bare name
Lateinische n -n - only weak
Deutsche n -n - only weak
Montag m -s Montage
Dienstag m -s Dienstage
Freitag m -s Freitage
Samstag m -s Samstage
"""
