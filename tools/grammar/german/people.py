"""German nouns for people; how to read them is said in `nouns`."""

PEOPLE = """
Student m -en Studenten human weak      | neu jung müde fleißig | aus:=Wien,=Prag mit:Laptop,Rucksack
Studentin f - Studentinnen human        | neu jung klug | aus:=Oslo mit:Rucksack @in+D:!Bibliothek
Professor m -s Professoren human        | alt berühmt streng | für:=Physik,=Geschichte aus:=Wien
Professorin f - Professorinnen human    | neu jung berühmt | für:=Linguistik,=Chemie
Dozentin f - Dozentinnen human          | freundlich beliebt | aus:=Prag
Bibliothekar m -s Bibliothekare human   | freundlich hilfsbereit
Tutorin f - Tutorinnen human            | geduldig jung
Forscher m -s Forscher human            | jung erfahren neugierig | aus:=Oslo,!Institut
Kollege m -n Kollegen human weak rel    | neu nett ehemalig | aus:!Büro @in+D:!Labor
Kollegin f - Kolleginnen human rel      | neu nett | aus:=Wien
Freund m -es Freunde human rel          | alt gut | aus:!Schule,=Prag
Freundin f - Freundinnen human rel      | alt gut | aus:=Oslo @in+D:=Wien
Lehrer m -s Lehrer human rel            | jung streng geduldig
Lehrerin f - Lehrerinnen human rel      | jung freundlich
Schüler m -s Schüler human rel          | begabt jung neugierig
Koch m -es Köche human                  | jung erfahren berühmt | aus:=Lissabon
Köchin f - Köchinnen human              | erfahren berühmt | aus:=Wien
Kellner m -s Kellner human              | höflich müde jung | mit:Schürze
Gast m -es Gäste human rel              | hungrig fröhlich wichtig | aus:=Oslo @an+D:!Tisch
Bäcker m -s Bäcker human                | alt freundlich | aus:!Dorf
Tourist m -en Touristen human weak      | jung neugierig | mit:Kamera,Rucksack aus:=Prag @auf+D:!Brücke
Touristin f - Touristinnen human        | jung neugierig | mit:Kamera,Stadtplan aus:=Oslo
Schaffnerin f - Schaffnerinnen human    | streng höflich
Fahrer m -s Fahrer human                | vorsichtig müde | gen:!Bus,!Taxi
Reiseführerin f - Reiseführerinnen human | freundlich jung | aus:=Prag
Mann m -es Männer human                 | alt groß jung seltsam | mit:Schirm,Hut,Hund,Bart in+D:Uniform,Mantel @auf+D:!Brücke
Frau f - Frauen human                   | alt jung elegant | mit:Schirm,Kamera,Hut in+D:Mantel,Kleid @an+D:!Fenster @auf+D:!Balkon
Junge m -n Jungen human weak            | klein schüchtern | mit:Ball,Drachen @auf+D:!Brücke
Mädchen n -s Mädchen human              | klein mutig | mit:Hund,Ball in+D:Kleid @auf+D:!Balkon
Nachbar m -n Nachbarn human weak rel    | alt nett laut | @in+D:!Haus
Nachbarin f - Nachbarinnen human rel    | alt nett neu
Polizistin f - Polizistinnen human      | jung höflich | in+D:Uniform
Bürgermeisterin f - Bürgermeisterinnen human | neu beliebt jung | gen:!Stadt
Verkäufer m -s Verkäufer human          | freundlich ehrlich
Architektin f - Architektinnen human    | berühmt jung | aus:=Oslo
Journalist m -en Journalisten human weak | jung neugierig kritisch | aus:=Wien
Schauspieler m -s Schauspieler human    | berühmt jung
Sängerin f - Sängerinnen human          | berühmt jung begabt | aus:=Prag @auf+D:!Bühne
Pianist m -en Pianisten human weak      | berühmt jung begabt | aus:=Wien
Geigerin f - Geigerinnen human          | begabt jung | aus:=Oslo,!Orchester
Komponist m -en Komponisten human weak  | berühmt unbekannt
Dirigentin f - Dirigentinnen human      | streng berühmt | gen:!Orchester
Kritiker m -s Kritiker human            | streng klug
Musiker m -s Musiker human              | jung arm begabt | mit:Gitarre,Trompete
Mutter f - Mütter human kin             | jung müde
Vater m -s Väter human kin              | jung stolz
Schwester f - Schwestern human kin      | klein klug
Bruder m -s Brüder human kin            | klein lustig
Tante f - Tanten human kin              | reich alt
Onkel m -s Onkel human kin              | reich lustig
Großmutter f - Großmütter human kin     | alt lieb
Großvater m -s Großväter human kin      | alt weise
Kind n -es Kinder human                 | klein neugierig glücklich | @auf+D:!Sofa @an+D:!Fenster
Gärtner m -s Gärtner human              | alt geduldig
Bäuerin f - Bäuerinnen human            | alt fleißig | aus:!Dorf,!Tal
Wanderer m -s Wanderer human            | müde jung einsam | mit:Rucksack,Karte
Försterin f - Försterinnen human        | jung erfahren
Chefin f - Chefinnen human rel          | neu streng | gen:!Firma
Ingenieur m -s Ingenieure human         | jung klug | aus:=Oslo
Ingenieurin f - Ingenieurinnen human    | erfahren klug | aus:=Wien @in+D:!Werkstatt
Sekretär m -s Sekretäre human           | neu freundlich
Assistentin f - Assistentinnen human rel | neu jung zuverlässig
Kunde m -n Kunden human weak rel        | wichtig unzufrieden | aus:=Lissabon
Kundin f - Kundinnen human rel          | wichtig zufrieden | aus:=Oslo
Direktor m -s Direktoren human          | neu ehrgeizig | gen:!Museum,!Firma
Arzt m -es Ärzte human                  | jung freundlich | aus:!Krankenhaus
Orchester n -s Orchester one            | jung berühmt | aus:=Wien
Chor m -s Chöre one                     | klein berühmt | gen:!Schule
Band f - Bands one                      | jung unbekannt laut | aus:=Oslo
Publikum n -s - only                    | begeistert
Familie f - Familien one                | groß nett | aus:=Lissabon
Klasse f - Klassen one                  | neu klein laut
Firma f - Firmen one                    | klein jung erfolgreich | aus:=Oslo
"""
