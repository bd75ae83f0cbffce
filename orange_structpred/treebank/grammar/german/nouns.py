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
Buch n -es Bücher own                   | neu dick alt spannend | über+A:=Geschichte,Vulkan+,=Italien mit:=Bild+ von:Freundin,Journalist
Artikel m -s Artikel                    | kurz lang kritisch neu | über+A:=Sprache,Roboter+ in+D:!Zeitung
Gedicht n -s Gedichte own               | kurz berühmt schön | über+A:!Meer,!Herbst von:Freund
Bericht m -s Berichte                   | kurz ausführlich | über+A:!Unfall,!Versuch
Aufsatz m -es Aufsätze own              | kurz lang glänzend | über+A:=Demokratie,=Freundschaft
Doktorarbeit f - Doktorarbeiten own     | lang ausgezeichnet | über+A:=Syntax,=Vulkan+
Brief m -es Briefe own                  | lang kurz geheim | von:Freund,!Bank,Tante an+A:!Bürgermeisterin
Wörterbuch n -s Wörterbücher own        | alt dick | mit:=Bild+
Laptop m -s Laptops own                 | neu alt langsam | mit:=Aufkleber+
Bleistift m -s Bleistifte own           | spitz rot stumpf
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
Fernrohr n -s Fernrohre own             | alt groß neu
Stern m -s Sterne                       | hell fern
Planet m -en Planeten weak              | fern unbekannt
Mond m -es Monde only                   | voll blass
Text m -es Texte                        | lang alt schwierig | über+A:=Pirat+,=Freundschaft
Roman m -s Romane own                   | lang spannend berühmt | über+A:=Pirat+ von:Journalist
Passwort n -s Passwörter own            | lang geheim
Wort n -es Wörter                       | schwierig seltsam selten
Name m -ns Namen weak                   | seltsam lang
Formular n -s Formulare                 | lang kompliziert
Lösung f - Lösungen                     | einfach elegant | für:!Problem
Plakat n -s Plakate                     | groß bunt | für:!Tagung,!Konzert
Übersetzung f - Übersetzungen own       | gut sorgfältig | gen:!Gedicht,!Roman
Beispiel n -s Beispiele                 | gut einfach
Zeichnung f - Zeichnungen own           | einfach lustig | von:Maschine,Vogel
Bibliothek f - Bibliotheken             | alt ruhig groß | gen:!Universität
Labor n -s Labore                       | neu modern
Büro n -s Büros own                     | klein hell
Universität f - Universitäten           | alt berühmt
Institut n -s Institute                 | neu berühmt
Dach n -es Dächer                       | flach alt | gen:!Haus,!Turm
Turm m -es Türme                        | alt hoch | gen:!Kirche,!Burg
Flur m -es Flure                        | lang dunkel
Schule f - Schulen                      | alt neu klein | in+D:!Dorf
Saal m -es Säle                         | groß kalt
# kitchen
Kuchen m -s Kuchen                      | groß lecker frisch | mit:=Kirsche+,=Sahne aus:!Bäckerei
Brot n -es Brote                        | frisch dunkel warm | mit:=Butter,=Käse aus:!Bäckerei
Zwiebel f - Zwiebeln                    | groß rot
Karotte f - Karotten                    | frisch süß
Kartoffel f - Kartoffeln                | groß heiß
Apfel m -s Äpfel                        | rot reif süß | aus:!Garten
Kirsche f - Kirschen                    | reif süß
Suppe f - Suppen                        | heiß scharf dick | mit:=Pilz+,=Reis
Reis m -es - mass                       | heiß
Fisch m -es Fische                      | frisch gebraten | mit:=Reis,=Kartoffel+
Salat m -es Salate                      | frisch grün | mit:=Ei+,=Käse
Soße f - Soßen                          | scharf dick heiß | mit:=Pilz+,=Knoblauch
Wein m -es - mass                       | rot teuer | aus:=Italien,=Spanien
Kaffee m -s - mass                      | stark heiß schwarz | mit:=Milch,=Zucker
Tee m -s - mass                         | heiß grün | mit:=Zitrone,=Honig
Saft m -es - mass                       | kalt frisch
Wasser n -s - mass                      | kalt heiß klar
Nachtisch m -es Nachtische              | süß klein | mit:=Sahne,=Kirsche+
Abendessen n -s Abendessen              | spät lecker
Mittagessen n -s Mittagessen            | warm leicht
Frühstück n -s -                        | spät gut
Teller m -s Teller                      | sauber leer groß
Glas n -es Gläser                       | leer sauber
Tasse f - Tassen                        | klein blau
Pfanne f - Pfannen                      | heiß schwer
Topf m -es Töpfe                        | schwer groß
Messer n -s Messer                      | scharf lang alt
Löffel m -s Löffel                      | groß
Gabel f - Gabeln                        | klein
Tisch m -es Tische                      | rund lang | an+D:!Fenster
Herd m -es Herde                        | alt heiß
Ofen m -s Öfen                          | alt heiß
Rezept n -s Rezepte own                 | alt einfach geheim | für:Suppe,Kuchen von:Großmutter
Gemüse n -s - mass                      | frisch grün | aus:!Garten von:!Markt
Käse m -s - mass                        | alt weich | aus:=Spanien
Rechnung f - Rechnungen own             | hoch falsch | für:!Essen,!Drucker
Fest n -es Feste                        | groß laut klein | in+D:!Garten an+D:!Montag,!Dienstag,!Freitag,!Samstag
Lächeln n -s - one                      | freundlich warm
Ei n -s Eier                            | frisch gekocht
Küche f - Küchen                        | klein warm hell
# travel
Zug m -es Züge                          | schnell verspätet alt | nach:=Wien,=Prag aus:=Lissabon
Bus m -ses Busse                        | voll alt | nach:=Prag zu:!Flughafen
Taxi n -s Taxis                         | gelb teuer
Fähre f - Fähren                        | weiß langsam | zu:!Insel
Flug m -es Flüge                        | lang billig | nach:=Oslo,=Lissabon aus:=Wien
Fahrkarte f - Fahrkarten own            | billig teuer gültig | nach:=Prag für:!Zug,!Fähre
Eintrittskarte f - Eintrittskarten own  | teuer billig | für:!Konzert,!Museum
Zimmer n -s Zimmer own                  | ruhig billig hell | mit:Balkon in+D:!Hotel
Burg f - Burgen                         | zerstört berühmt alt | auf+D:!Hügel bei:=Prag
Museum n -s Museen                      | neu berühmt klein
Kirche f - Kirchen                      | klein weiß alt | in+D:!Dorf
Dom m -es Dome                          | berühmt gotisch
Insel f - Inseln                        | klein einsam grün | mit:Leuchtturm
Dorf n -es Dörfer                       | klein ruhig abgelegen | in+D:!Berg+,!Tal
Stadt f - Städte                        | klein hübsch alt | an+D:!Meer,!Fluss
Gipfel m -s Gipfel                      | verschneit hoch | gen:!Berg
Koffer m -s Koffer own                  | schwer alt rot
Tasche f - Taschen own                  | schwer klein | mit:=Buch+,=Apfel+
Kamera f - Kameras own                  | alt teuer neu
Handy n -s Handys own                   | neu kaputt
Karte f - Karten own                    | alt genau | von:!Stadt,!Insel
Stadtplan m -s Stadtpläne own           | alt neu | von:=Prag
Pass m -es Pässe own                    | alt neu
Schlüssel m -s Schlüssel own            | klein rostig | zu:!Büro,!Zimmer
Andenken n -s Andenken                  | billig hässlich | aus:=Prag
Hotel n -s Hotels                       | klein billig ruhig | an+D:!See,!Bahnhof
Bahnhof m -s Bahnhöfe                   | alt klein
Flughafen m -s Flughäfen                | neu groß
Brücke f - Brücken                      | schmal alt lang | über+A:!Fluss
Grenze f - Grenzen only                 |
Fluss m -es Flüsse                      | breit tief kalt
Auto n -s Autos own                     | rot alt schnell
Fahrrad n -s Fahrräder own              | alt rot kaputt | mit:Korb
Boot n -es Boote own                    | klein weiß langsam
Zelt n -es Zelte own                    | klein grün nass
Aussicht f - Aussichten one             | wunderbar berühmt | von:!Turm,!Balkon auf+A:!Burg,!See
Gemälde n -s Gemälde                    | berühmt alt wertvoll | von:=Dürer in+D:!Museum
Reise f - Reisen own                    | lang gefährlich kurz | nach:=Spanien,=Italien zu:!Insel
Strand m -es Strände                    | sonnig leer
Meer n -es Meere only                   | ruhig tief
See m -s Seen                           | tief klar
Berg m -es Berge                        | hoch verschneit
Leuchtturm m -s Leuchttürme             | weiß alt
Werkzeug n -s Werkzeuge                 | alt nützlich
Landschaft f - Landschaften             | schön grün
# city
Mantel m -s Mäntel own                  | lang warm schwarz
Kleid n -es Kleider own                 | rot elegant
Schirm m -s Schirme own                 | schwarz rot kaputt
Hut m -es Hüte own                      | alt lustig rot
Uniform f - Uniformen own               | blau neu
Hund m -es Hunde own                    | groß faul braun
Katze f - Katzen own                    | schwarz faul
Bart m -es Bärte                        | lang grau
Haus n -es Häuser own                   | alt klein gelb | mit:Garten an+D:!See
Wohnung f - Wohnungen own               | klein hell teuer | mit:Balkon
Park m -s Parks                         | klein grün ruhig | an+D:!Fluss
Straße f - Straßen                      | schmal laut dunkel
Wand f - Wände                          | weiß hoch
Zaun m -es Zäune                        | alt hoch
Pinsel m -s Pinsel                      | breit dünn
Zeitung f - Zeitungen own               | alt | aus:=Prag,=Wien
Blume f - Blumen                        | rot frisch wild
Hemd n -es Hemden own                   | weiß sauber
Ausstellung f - Ausstellungen           | klein interessant | mit:=Gemälde+,=Foto+ an+D:!Montag,!Dienstag,!Freitag,!Samstag
Markt m -es Märkte                      | klein laut
Rede f - Reden own                      | kurz langweilig bewegend | über+A:!Zukunft
Ente f - Enten                          | hungrig dick
Taube f - Tauben                        | hungrig grau
Unfall m -s Unfälle                     | schwer seltsam | auf+D:!Brücke bei:!Bahnhof
Film m -es Filme                        | lang spannend traurig | über+A:=Pirat+,Sängerin mit:Schauspieler
Balkon m -s Balkone own                 | klein sonnig
Fenster n -s Fenster                    | groß offen klein
Café n -s Cafés                         | klein voll
Foto n -s Fotos own                     | alt lustig | von:!Familie,!Meer
Krankenhaus n -es Krankenhäuser         | neu groß
Bank f - Banken                         | klein alt
Geschäft n -s Geschäfte                 | winzig neu
Theater n -s Theater                    | alt klein
Wochenende n -s Wochenenden             | lang
# music
Sonate f - Sonaten                      | schwierig schön | für:=Klavier,=Geige von:=Mozart
Lied n -es Lieder                       | traurig alt schön | über+A:!Meer von:!Band
Walzer m -s Walzer                      | langsam berühmt | von:=Strauß
Oper f - Opern                          | lang neu berühmt | von:=Verdi über+A:König
Sinfonie f - Sinfonien                  | lang berühmt | von:=Haydn
Arie f - Arien                          | traurig berühmt | aus:!Oper
Melodie f - Melodien                    | einfach traurig
Stück n -es Stücke                      | schwierig kurz | für:=Klavier,=Orchester
Album n -s Alben                        | neu erfolgreich | von:!Band mit:=Lied+
Klavier n -s Klaviere own               | alt schwarz neu
Gitarre f - Gitarren own                | alt neu rot
Geige f - Geigen own                    | alt kostbar
Trompete f - Trompeten own              | laut
Konzert n -s Konzerte                   | lang wunderbar | für:=Kind+ in+D:!Kirche,!Park an+D:!Montag,!Dienstag,!Freitag,!Samstag
Studio n -s Studios                     | klein modern
Radio n -s Radios own                   | alt laut
Bühne f - Bühnen                        | groß dunkel
Probe f - Proben                        | lang anstrengend | für:!Konzert an+D:!Montag,!Dienstag,!Freitag,!Samstag
Hochzeit f - Hochzeiten                 | groß wunderbar | an+D:!Montag,!Dienstag,!Freitag,!Samstag
Stimme f - Stimmen own                  | tief klar warm
König m -s Könige human                 | alt grausam
# home
Tür f - Türen                           | schwer grün | gen:!Haus
Bild n -es Bilder own                   | bunt alt | von:Pferd,Großmutter
Spiegel m -s Spiegel own                | alt rund
Lampe f - Lampen own                    | klein alt hell
Stuhl m -es Stühle own                  | alt bequem
Sofa n -s Sofas own                     | weich alt
Vase f - Vasen own                      | blau alt teuer | mit:=Blume+,=Rose+
Regal n -s Regale                       | hoch schmal | mit:=Buch+
Geschichte f - Geschichten              | spannend lang traurig | über+A:Drache,=Gespenst+ von:=Pirat+
Witz m -es Witze                        | alt albern | über+A:=Arzt+
Geheimnis n -ses Geheimnisse own        | dunkel alt
Geschenk n -s Geschenke own             | klein teuer | für:Mutter,Freundin von:Onkel
Postkarte f - Postkarten                | lustig alt | aus:=Spanien,=Italien
Paket n -s Pakete own                   | schwer groß | aus:=Oslo von:Tante
Spielzeug n -s Spielzeuge own           | kaputt neu
Heizung f - Heizungen                   | alt
Pflanze f - Pflanzen own                | grün selten
Tuch n -es Tücher                       | nass weich
Schraubenzieher m -s Schraubenzieher    | klein lang
Garten m -s Gärten own                  | groß wild schön | hinter+D:!Haus mit:Teich
Keller m -s Keller                      | dunkel kalt
Uhr f - Uhren own                       | alt laut | an+D:!Wand
Spiel n -s Spiele                       | spannend wichtig | gegen:=Spanien an+D:!Montag,!Dienstag,!Freitag,!Samstag
# nature
Baum m -es Bäume                        | alt hoch jung | in+D:!Garten
Rose f - Rosen                          | rot weiß wild
Strauch m -es Sträucher                 | dicht grün
Spaten m -s Spaten                      | rostig
Loch n -es Löcher                       | tief klein | in+D:!Zaun,!Wand
Vogel m -s Vögel                        | klein selten bunt
Reh n -s Rehe                           | scheu jung
Fuchs m -es Füchse                      | rot schlau
Maus f - Mäuse                          | klein grau
Hase m -n Hasen weak                    | braun jung
Pferd n -es Pferde own                  | braun jung
Kuh f - Kühe own                        | braun alt
Huhn n -es Hühner own                   | weiß dick
Eule f - Eulen                          | alt braun
Hügel m -s Hügel                        | grün steil
Hütte f - Hütten                        | klein alt | in+D:!Berg+,!Wald
Wald m -es Wälder                       | dunkel ruhig | hinter+D:!Dorf
Tal n -es Täler                         | grün eng
Weg m -es Wege                          | schmal steil | durch:!Wald zu:!Gipfel
Bach m -es Bäche                        | klein kalt
Wiese f - Wiesen                        | grün nass
Pilz m -es Pilze                        | essbar klein
Seil n -es Seile                        | lang stark
Heu n -s - mass                         | trocken
Holz n -es - mass                       | trocken
Hammer m -s Hämmer                      | schwer
Leiter f - Leitern                      | lang
Feuer n -s Feuer                        | klein warm
Traktor m -s Traktoren own              | alt grün
Parkbank f - Parkbänke                  | alt | unter+D:!Baum in+D:!Park
Teich m -es Teiche                      | klein tief
# work
Vertrag m -s Verträge                   | neu lang | mit:Firma,Kunde
E-Mail f - E-Mails own                  | kurz lang | über+A:!Sitzung von:!Chefin
Programm n -s Programme own             | neu einfach nützlich | für:=Kind+,!Bank
Maschine f - Maschinen                  | neu groß teuer | aus:=Oslo
Motor m -s Motoren                      | laut neu
Plan m -es Pläne own                    | kühn gut geheim | für:Brücke,!Fest
Sitzung f - Sitzungen                   | lang kurz wichtig | mit:!Direktor,=Kunde+ an+D:!Montag,!Dienstag,!Freitag,!Samstag
Drucker m -s Drucker own                | langsam neu kaputt | in+D:!Büro,!Flur
Problem n -s Probleme own               | ernst klein schwierig | mit:!Motor,!Drucker
Computer m -s Computer own              | schnell alt neu
Werkstatt f - Werkstätten               | klein laut
Schreibtisch m -es Schreibtische own    | ordentlich groß | an+D:!Fenster
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
