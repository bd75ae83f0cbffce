"""German events and states, by domain.

    verb | subjects | objects | adjuncts, adverbs, marks

`-` as subjects means the people of the domain; as objects, that there is none. A
separable prefix is cut off by a stroke (ab/holen), a reflexive verb begins with
`sich_`. `dat:` names who gets something. Marks: `active` (has no good passive),
`stative` (is not done on purpose, and lasts), `chance` (is not done on purpose),
`still` (leaves its object where it is).
"""

DOMAINS = """
[university] Student Studentin Professorin Dozentin Bibliothekar Tutorin Forscher
lesen           | - | Buch Artikel Gedicht Bericht Roman | in+D:!Bibliothek,!Garten,!Zug adv:aufmerksam,langsam still
schreiben       | Student Studentin Forscher Tutorin | Aufsatz Doktorarbeit Bericht Brief Gedicht | in+D:!Bibliothek mit:Bleistift,Kugelschreiber für:!Zeitung,Freundin adv:schnell
aus/leihen      | Student Studentin Tutorin Forscher | Buch Laptop Wörterbuch Fernrohr | aus:!Bibliothek von:Freund,!Bibliothekar
erklären        | Professorin Dozentin Tutorin Professor | Regel Methode Versuch Theorie | dat:!Klasse,Studentin,Schüler mit:Zeichnung,Beispiel adv:geduldig,genau
besuchen        | Student Studentin Forscher | Vorlesung Seminar Kurs Tagung | mit:Freundin,Kollege an+D:!Universität
bestehen        | Student Studentin | Prüfung+ | adv:mühelos,endlich chance
korrigieren     | Tutorin Professorin Dozentin | Aufsatz Fehler+ Übersetzung | mit:Kugelschreiber,Bleistift in+D:!Zug,!Büro adv:sorgfältig still
besprechen      | - | Frage+ Ergebnis Theorie Idee | mit:Kollegin,Tutorin,Student+ in+D:!Seminar,!Flur,!Büro adv:offen still
vor/bereiten    | - | Vortrag Seminar Vorlesung Versuch | für:!Tagung,!Klasse mit:Kollege in+D:!Labor adv:gründlich
messen          | Forscher Student Studentin | Temperatur Geschwindigkeit | mit:Sensor,Lineal in+D:!Labor adv:genau
beobachten      | Forscher Studentin Professorin | Stern Planet Vogel+ !Mond | mit:Fernrohr von:!Dach,!Turm adv:aufmerksam still
übersetzen      | Student Tutorin Forscher | Gedicht Text Brief Roman | mit:Wörterbuch,Freundin aus:!Lateinische in+A:!Deutsche adv:sorgfältig
ab/geben        | Student Studentin Forscher | Aufsatz Doktorarbeit Formular Bericht | in+D:!Büro adv:pünktlich,endlich
nach/schlagen   | Student Tutorin | Wort Name | in+D:Wörterbuch,Buch
beantworten     | Professorin Tutorin Bibliothekar | Frage Brief E-Mail | in+D:!Seminar,!Bibliothek mit:~Lächeln adv:geduldig,höflich still
aus/drucken     | Student Studentin Bibliothekar | Doktorarbeit Bericht Plakat Formular | in+D:!Bibliothek,!Büro
finden          | Student Forscher Bibliothekar | Buch Schlüssel Lösung Fehler | in+D:!Bibliothek,!Flur unter+D:!Tisch active chance still
vergessen       | Student Dozentin Studentin | Laptop Schirm Passwort Name | in+D:!Bibliothek,!Zug active chance
studieren       | Student Studentin | - | *in+D:=Wien,=Prag mit:Freundin adv:fleißig stative
empfehlen       | Professorin Tutorin Bibliothekar | Buch Roman Artikel Kurs | *dat:Student,Studentin,Kollegin
helfen          | Tutorin Bibliothekar Dozentin | - | *dat:Student,Schüler,Studentin bei:!Doktorarbeit,!Übersetzung,!Versuch
Prüfung ist     | lang schwierig
Prüfung ist     | leicht
Vorlesung ist   | lang langweilig
Bibliothek ist  | ruhig warm
Bibliothek ist  | geschlossen
Professorin ist | krank
Ergebnis ist    | überraschend
Theorie ist     | falsch
[kitchen] Koch Köchin Kellner Gast Großmutter Bäcker Kind
backen          | Bäcker Großmutter Köchin Kind | Kuchen Brot | für:Gast+,Kind+,Nachbarin in+D:!Ofen,!Küche mit:=Butter,Großmutter
schneiden       | Koch Großmutter Kind | Zwiebel+ Brot Kuchen Karotte+ | mit:Messer auf+D:!Tisch in+D:!Küche adv:vorsichtig still
schälen         | Köchin Großmutter Kind Kellner | Kartoffel+ Karotte+ Apfel+ | mit:Messer in+D:!Küche für:!Suppe,!Salat adv:langsam still
kochen          | Koch Großmutter Nachbarin | Suppe Abendessen Fisch Reis | für:Gast+,!Familie,Freundin mit:=Knoblauch,=Butter auf+D:!Herd
essen           | Gast Kind Nachbar | Suppe Kuchen Salat Fisch | mit:Löffel,Gabel in+D:!Küche,!Garten adv:langsam,schnell still
trinken         | Gast Köchin Nachbar | Wein Tee Kaffee Saft | aus:Tasse,Glas in+D:!Garten,!Küche adv:langsam
servieren       | Kellner Koch | Suppe Wein Kaffee Nachtisch | dat:Gast+,!Familie mit:~Lächeln in+D:!Garten adv:höflich
bestellen       | Gast Touristin | Suppe Fisch Salat Nachtisch | bei:!Kellner für:Kind+ adv:schnell
ab/waschen      | Kellner Köchin Kind | Teller+ Glas+ Pfanne Topf | in+D:!Küche mit:=Seife,=Wasser adv:gründlich still
probieren       | Koch Großmutter Gast | Suppe Soße Wein | mit:Löffel aus:!Topf adv:vorsichtig still
füllen          | Kellner Großmutter Kind | Glas+ Tasse+ Topf | *mit:=Wasser,=Saft,=Tee
zerbrechen      | Kellner Kind Gast | Teller Glas Tasse | in+D:!Küche active chance
aus/probieren   | Koch Bäcker Großmutter | Rezept Ofen Messer | mit:Freund,Nachbarin in+D:!Küche
auf/schreiben   | Köchin Bäcker Gast | Rezept Name | für:Freundin,Nachbar
ein/kaufen      | Köchin Großmutter Nachbar | Gemüse Fisch Käse Brot | auf+D:!Markt für:!Suppe,!Salat,!Abendessen
stellen         | Kellner Koch Kind | Teller Pfanne Topf Kuchen | *auf+A:!Tisch,!Herd adv:vorsichtig
aus/schalten    | Koch Kind Großmutter | Ofen Herd Radio | adv:schnell,endlich still
ein/laden       | Köchin Großmutter Nachbar | Freund+ Nachbarin Familie | *zu:!Abendessen,!Mittagessen,!Fest
bezahlen        | Gast Touristin | Rechnung Wein | mit:~Lächeln adv:schnell
sitzen          | Gast Kind Nachbarin | - | *an+D:!Tisch,!Fenster in+D:!Küche,!Garten stative
schmecken       | Suppe Kuchen Fisch Salat | - | *dat:Gast+,Kind,!Großmutter adv:gut stative
Suppe ist       | heiß scharf
Suppe ist       | kalt
Gast+ ist       | hungrig durstig
Ofen ist        | heiß
Küche ist       | klein warm
Messer ist      | stumpf
Abendessen ist  | fertig
Brot ist        | frisch warm
[travel] Tourist Touristin Schaffnerin Reiseführerin Fahrer
nehmen          | Tourist Touristin Freundin | Zug Bus Taxi Fähre | zu:!Flughafen,!Burg,!Museum nach:!Frühstück active
verpassen       | Tourist Touristin Freund | Zug Bus Flug Fähre | active chance
buchen          | Tourist Touristin Freundin | Zimmer Flug Reise | für:!Wochenende,Freund mit:Handy
besichtigen     | Tourist Touristin Reiseführerin | Burg Museum Kirche Insel | mit:Freundin,Reiseführerin in+D:!Sommer,!Herbst
packen          | Tourist Touristin Freund | Koffer Tasche Rucksack | für:!Reise,!Wochenende adv:schnell
tragen          | Fahrer Tourist Reiseführerin | Koffer Tasche Zelt | zu:!Bahnhof,!Taxi in+A:!Hotel auf+A:!Berg
fotografieren   | Tourist Touristin Reiseführerin | Burg Brücke Leuchtturm Dom | mit:Kamera,Handy von:!Turm,!Balkon still
zeigen          | Reiseführerin Schaffnerin Fahrer | Karte Stadtplan Foto Burg | *dat:Tourist,Touristin
verkaufen       | Reiseführerin Fahrer Schaffnerin | Fahrkarte+ Karte Andenken | dat:Tourist+,Touristin an+D:!Bahnhof,!Flughafen
verlieren       | Tourist Touristin Freundin | Pass Fahrkarte Schlüssel Stadtplan | an+D:!Flughafen,!Strand auf+D:!Fähre in+D:!Park active chance
erreichen       | Tourist Reiseführerin Fahrer | Dorf Insel Gipfel | mit:!Boot,!Zug vor+D:!Sonnenuntergang active chance
überqueren      | Tourist Fahrer Reiseführerin | !Grenze Fluss Brücke | mit:!Boot,!Auto in+D:!Winter
kontrollieren   | Schaffnerin Fahrer | Fahrkarte+ Pass Koffer | an+D:!Grenze,!Flughafen in+D:!Zug adv:höflich still
warten          | Tourist Touristin Schaffnerin | - | *auf+A:Bus,Zug,Taxi,!Reiseführerin an+D:!Bahnhof stative
an/kommen       | Tourist Touristin Reiseführerin | - | *in+D:=Wien,=Prag mit:!Zug,!Boot adv:spät,pünktlich chance
an/kommen       | Zug Bus | - | *in+D:=Wien,=Prag an+D:!Flughafen adv:spät,pünktlich chance
ab/fahren       | Zug Bus Fähre | - | von:!Bahnhof nach:!Mittagessen adv:pünktlich,langsam chance
reisen          | Tourist Touristin Freund | - | *durch:=Italien,=Spanien mit:!Zug,!Familie,Freundin
schlafen        | Touristin Tourist Fahrer | - | *in+D:Zelt,Hotel adv:schlecht,gut stative
reparieren      | Fahrer Reiseführerin | Auto Bus Fahrrad Boot | mit:Werkzeug,Schraubenzieher für:Tourist an+D:!Bahnhof still
bewundern       | Tourist Touristin Freundin | Aussicht Gemälde Dom Landschaft | von:!Brücke,!Turm mit:Freund adv:schweigend still
ab/holen        | Fahrer Reiseführerin | Touristin Freund Koffer | von:!Flughafen,!Bahnhof adv:pünktlich
sich_verspäten  | Zug Bus Touristin Fähre | - | in+D:!Winter chance adv:oft
Zug ist         | langsam voll
Hotel ist       | voll teuer
Koffer ist      | schwer alt
Reise ist       | lang anstrengend
Brücke ist      | schmal alt
Strand ist      | leer ruhig
[city] Frau Mann Nachbarin Bürgermeisterin Journalist Verkäufer Polizistin
sehen           | - | Mann Frau Junge Mädchen Tourist Hund | mit:Fernrohr von:!Balkon in+D:!Park stative still
treffen         | Frau Mann Nachbarin Journalist | Freundin Nachbar Schauspieler Kollegin | in+D:!Park,!Café auf+D:!Markt nach:!Mittagessen
beobachten      | Polizistin Journalist Nachbarin Junge | Mann Frau Taube+ Tourist+ | mit:Fernrohr,Kamera von:!Dach,!Balkon adv:schweigend still
bauen           | Architektin Bürgermeisterin Firma | Brücke Haus Theater Krankenhaus | in+D:!Dorf,!Stadt an+D:!Fluss für:!Stadt
streichen       | Nachbarin Frau Mann Verkäufer | Wand Zaun Tür | mit:Pinsel,Freund an+D:!Wochenende adv:langsam still
verkaufen       | Verkäufer Frau | Blume+ Zeitung Mantel Hemd | dat:Tourist+,Nachbarin auf+D:!Markt
kaufen          | Frau Mann Nachbarin | Blume+ Zeitung Mantel Kleid | auf+D:!Markt an+D:!Bahnhof für:Mutter,Freundin bei:!Verkäufer
eröffnen        | Bürgermeisterin Architektin Schauspieler | Museum Ausstellung Markt Theater | mit:~Rede in+D:!Sommer adv:feierlich
füttern         | Frau Junge Mädchen Mann | Ente+ Taube+ Katze | mit:Brot in+D:!Park an+D:!See still
verfolgen       | Polizistin Hund Journalist | Mann Tourist Junge | durch:!Park,!Straße+ mit:Kamera adv:schweigend still
interviewen     | Journalist | Bürgermeisterin Schauspieler Sängerin | zu:!Film,!Unfall für:!Zeitung in+D:!Café
an/rufen        | Polizistin Frau Nachbarin | Arzt Taxi Freundin | mit:Handy nach:!Unfall
spazieren       | Frau Mann Nachbarin | - | *durch:!Park,!Stadt mit:Hund,Freundin adv:langsam
wohnen          | Architektin Journalist Mann Frau | - | *in+D:Haus,Wohnung,=Prag mit:!Familie,Hund,Katze stative
zurück/geben    | Nachbarin Polizistin Verkäufer | Schirm Schlüssel Tasche | dat:Frau,Mann,Touristin adv:höflich,endlich
kritisieren     | Journalist Bürgermeisterin Nachbarin | Plan Rede Film | in+D:!Zeitung adv:offen,scharf
helfen          | Polizistin Nachbarin Junge | - | *dat:Frau,Touristin,Mann mit:!Koffer,!Tasche auf+D:!Straße
sich_treffen    | Frau Mann Journalist | - | *mit:Freundin,Kollege,!Architektin in+D:!Café,!Park
Park ist        | ruhig grün
Straße ist      | schmal laut
Museum ist      | geschlossen
Film ist        | lang spannend
Bürgermeisterin ist | beliebt
Café ist        | voll laut
[music] Pianist Sängerin Geigerin Komponist Dirigentin Musiker
spielen         | Pianist Geigerin Kind Musiker | Sonate Walzer Lied Stück | auf+D:!Klavier mit:Orchester,Freund für:Gast+ in+D:!Kirche adv:leise,wunderbar
üben            | Pianist Geigerin Sängerin Schüler | Sonate Lied Arie Stück | mit:Lehrerin in+D:!Studio für:!Konzert adv:fleißig
komponieren     | Komponist Dirigentin Musiker | Oper Lied Sinfonie Walzer | für:Orchester,Freundin in+D:=Wien,!Sommer an+D:!Klavier
singen          | Sängerin Chor Kind | Lied Arie | in+D:!Kirche,!Garten auf+D:!Hochzeit mit:!Chor,Freundin adv:leise,wunderbar
dirigieren      | Dirigentin Komponist | Orchester Chor | in+D:=Wien,!Saal adv:schwungvoll
auf/nehmen      | Band Sängerin Orchester Pianist | Album Lied Sonate | in+D:Studio mit:!Chor,Musiker für:!Radio
stimmen         | Pianist Musiker Geigerin | Klavier Gitarre Geige | vor+D:!Konzert,!Probe in+D:!Saal für:!Sängerin adv:sorgfältig still
hören           | Kritiker Publikum Kind | Lied Konzert Stimme | in+D:!Radio,!Park von:!Balkon stative still
bei/bringen     | Pianist Lehrer Lehrerin Sängerin | Lied Melodie Stück | *dat:Kind,Schüler,!Klasse
loben           | Kritiker Journalist | Sängerin Album Oper Pianist | in+D:!Zeitung nach:!Konzert adv:begeistert
reparieren      | Musiker Geigerin | Geige Gitarre Klavier | mit:Werkzeug in+D:Werkstatt adv:sorgfältig still
kaufen          | Musiker Pianist Schüler | Gitarre Eintrittskarte+ Geige Klavier | für:!Konzert,Kind von:Freundin in+D:Geschäft
ein/laden       | Dirigentin Komponist Band | Sängerin Kritiker Geigerin Freund | *zu:!Konzert,!Probe,!Fest
auf/führen      | Band Orchester Chor | Oper Sinfonie Walzer | in+D:!Park,!Saal auf+D:!Bühne mit:!Chor
klatschen       | Publikum Kind Kritiker | - | nach:!Arie,!Konzert adv:laut,begeistert
tanzen          | Sängerin Kind Gast | - | zu:!Walzer auf+D:!Bühne,!Hochzeit mit:Freund
gefallen        | Lied Konzert Oper Album | - | *dat:Publikum,Kritiker,Kind stative
sich_freuen     | Sängerin Dirigentin Kind Publikum | - | *über+A:!Konzert,!Lied,!Album stative
Konzert ist     | lang wunderbar
Sängerin ist    | nervös müde
Saal ist        | voll kalt
Publikum ist    | begeistert
Klavier ist     | alt laut
Lied ist        | traurig schön
[home] Mutter Vater Schwester Bruder Tante Onkel Großmutter Kind
putzen          | - | Fenster+ Zimmer Küche Spiegel | mit:Tuch,=Seife,=Wasser an+D:!Wochenende vor+D:!Fest adv:gründlich still
reparieren      | Vater Onkel Schwester Tante | Lampe Stuhl Fahrrad Uhr | mit:Schraubenzieher,Werkzeug in+D:!Keller,!Küche für:Nachbarin adv:schnell still
schließen       | Mutter Bruder Kind | Fenster Tür | adv:leise,schnell still
auf/hängen      | Vater Tante Schwester | Bild Spiegel Uhr | an+D:!Wand in+D:!Flur adv:vorsichtig
stellen         | Mutter Bruder Kind | Vase Lampe Paket | *auf+A:!Tisch in+A:!Regal adv:vorsichtig
erzählen        | Großmutter Onkel Vater | Geschichte Witz Geheimnis | *dat:Kind+,Schwester,Freundin
schenken        | Tante Onkel Großmutter | Buch Fahrrad Spielzeug Uhr | *dat:Kind,Schwester,Bruder
schicken        | Tante Onkel Schwester | Brief Postkarte Paket Foto | *dat:Mutter,Freundin,Großvater
vor/lesen       | Mutter Großvater Schwester | Geschichte Brief Zeitung | dat:Kind+,Bruder auf+D:!Sofa in+D:!Küche adv:laut
wecken          | Mutter Vater Kind | Bruder Kind Schwester | mit:~Lied adv:sanft,früh
ab/holen        | Vater Tante Bruder | Kind Paket Großmutter | von:!Schule,!Bahnhof adv:pünktlich
an/sehen        | Mutter Bruder Kind | Film Spiel Foto+ | mit:Freund,Freundin auf+D:!Sofa
ein/schalten    | Mutter Bruder Onkel | Lampe Radio Heizung | in+D:!Küche,!Keller still
gießen          | Mutter Tante Nachbarin | Pflanze+ Blume+ Rose+ | auf+D:!Balkon an+D:!Wochenende adv:regelmäßig still
auf/räumen      | Kind Bruder Schwester | Zimmer Küche Keller | mit:Vater vor+D:!Fest adv:schnell
verstecken      | Kind Bruder Großmutter | Geschenk Schlüssel Brief | in+D:!Keller,!Garten hinter+D:!Sofa,!Spiegel
bauen           | Vater Kind Onkel | Regal Tisch Drachen | aus:=Holz mit:Hammer für:Schwester in+D:!Keller,!Garten
kaufen          | Mutter Vater Onkel | Geschenk Lampe Sofa Kuchen | für:Kind,Großmutter mit:Schwester auf+D:!Markt
verlieren       | Kind Bruder Onkel | Schlüssel Spielzeug Schirm | in+D:!Garten,!Park an+D:!Strand active chance
schlafen        | Kind Bruder Katze Hund | - | auf+D:!Sofa in+D:!Garten adv:schlecht,gut stative
sich_erinnern   | Großmutter Vater Onkel | - | *an+A:!Reise,!Hochzeit,!Fest adv:gern stative
Kind ist        | müde glücklich
Keller ist      | dunkel kalt
Uhr ist         | alt laut
Geschichte ist  | traurig spannend
Zimmer ist      | dunkel kalt
Großmutter ist  | krank
[nature] Gärtner Bäuerin Wanderer Försterin Kind
pflanzen        | Gärtner Bäuerin Kind | Baum Rose+ Strauch | mit:Spaten hinter+D:!Haus in+D:!Garten,!Herbst
pflücken        | Gärtner Kind Bäuerin | Apfel+ Kirsche+ Blume+ | für:Mutter,Nachbar in+D:!Garten mit:Leiter adv:vorsichtig still
graben          | Gärtner Kind | Loch | mit:Spaten in+D:!Garten hinter+D:!Hütte
graben          | Hund Fuchs | Loch | in+D:!Garten hinter+D:!Hütte
beobachten      | Försterin Wanderer Kind | Vogel Reh Fuchs Eule | mit:Fernrohr von:!Hügel,!Hütte adv:schweigend still
besteigen       | Wanderer Kind Försterin | Berg Hügel | mit:Seil,Freund vor+D:!Sonnenuntergang in+D:!Winter adv:langsam
jagen           | Hund Katze Fuchs | Maus Hase Vogel Huhn | durch:!Garten,!Wald um:!Haus,!Teich still
melken          | Bäuerin Kind | Kuh | vor+D:!Frühstück adv:früh still
finden          | Wanderer Försterin Kind Bäuerin | Weg Pilz+ Pferd Vogel | in+D:!Wald,!Tal mit:Hund,Karte unter+D:!Baum active chance still
hören           | Wanderer Kind Bäuerin | Eule Bach Fuchs | von:!Hütte,!Weg stative still
füttern         | Bäuerin Kind Försterin | Pferd Huhn+ Reh Hase | mit:Heu,Karotte+ in+D:!Winter auf+D:!Wiese adv:regelmäßig still
überqueren      | Wanderer Kind | Bach Fluss | vor+D:!Sonnenuntergang mit:Seil adv:vorsichtig
überqueren      | Pferd Reh Fuchs | Bach Wiese Fluss | vor+D:!Sonnenuntergang bei:!Hütte
an/zünden       | Wanderer Försterin Bäuerin | Feuer | mit:=Holz in+D:!Hütte auf+D:!Wiese adv:vorsichtig
bauen           | Bäuerin Försterin Gärtner | Hütte Zaun | aus:=Holz mit:Hammer an+D:!See,!Bach für:Wanderer+
fotografieren   | Wanderer Försterin Kind | Vogel Fuchs Reh Rose | mit:Kamera,Handy von:!Brücke,!Hütte adv:geduldig still
fahren          | Bäuerin Gärtner Försterin | - | *durch:!Dorf,!Tal mit:!Traktor,!Fahrrad adv:langsam
fällen          | Gärtner Bäuerin Försterin | Baum Strauch | mit:Freund hinter+D:!Haus in+D:!Winter
sich_aus/ruhen  | Wanderer Bäuerin Kind | - | unter+D:!Baum auf+D:Parkbank,!Wiese nach:!Mittagessen
führen          | Försterin Bäuerin Reiseführerin | Pferd Kind+ Wanderer | *durch:!Wald,!Tal zu:!Hütte,!Bach
zeichnen        | Kind Wanderer | Vogel Eule Blume Berg | mit:Bleistift auf+D:Parkbank adv:geduldig still
sammeln         | Kind Wanderer Bäuerin | Pilz+ =Holz | in+D:!Wald,!Herbst für:!Suppe,!Feuer still
Weg ist         | steil schmal
Wald ist        | dunkel ruhig
Pferd ist       | müde hungrig
Bach ist        | kalt tief
Hütte ist       | leer kalt
Wiese ist       | nass grün
[work] Chefin Ingenieur Ingenieurin Sekretär Assistentin Direktor Kundin
unterschreiben  | Chefin Direktor Kunde | Vertrag Brief Formular Plan | mit:Kugelschreiber in+D:!Büro nach:!Sitzung adv:zögernd still
schicken        | Sekretär Assistentin Chefin | Bericht E-Mail Rechnung Plan | *dat:Kundin,!Direktor,Kollegin
entwickeln      | Ingenieurin Assistentin Firma | Programm Maschine Produkt | für:Kunde,Bank mit:Kollege in+D:=Oslo,!Werkstatt
testen          | Ingenieur Assistentin | Maschine Programm Motor Produkt | in+D:!Werkstatt mit:Computer,Sensor,Kollegin vor+D:!Sitzung adv:gründlich still
vor/stellen     | Chefin Ingenieurin Direktor | Plan Produkt Ergebnis Idee | dat:Kundin,Kollege+ auf+D:!Sitzung,!Tagung mit:Plakat adv:stolz
an/rufen        | Chefin Sekretär Kundin | Kollege Ingenieurin Direktor | nach:!Sitzung aus:!Büro,!Zug
schreiben       | Sekretär Chefin Assistentin | E-Mail Bericht Brief | an+A:Kundin,!Direktor in+D:!Zug,!Büro adv:schnell
ein/stellen     | Direktor Chefin Firma | Ingenieur Assistentin Sekretär | für:!Büro,!Werkstatt in+D:!Sommer,!Herbst
reparieren      | Ingenieur Assistentin | Drucker Computer Maschine Motor | mit:Schraubenzieher,Werkzeug für:Kollegin in+D:!Werkstatt adv:schnell still
ab/sagen        | Chefin Direktor Sekretär | Sitzung Reise Fest | adv:plötzlich,zögernd
verschieben     | Chefin Direktor Kunde | Sitzung Vortrag Reise | adv:plötzlich
besprechen      | - | Plan Preis Problem Vertrag | mit:Kunde,Kollegin,!Direktor auf+D:!Sitzung in+D:!Büro adv:offen still
lösen           | Ingenieurin Assistentin Chefin | Problem | mit:Computer,Kollegin adv:elegant,schnell still
installieren    | Ingenieur Assistentin Kundin | Programm Drucker Maschine | in+D:!Büro,!Werkstatt für:Kollege adv:schnell
verkaufen       | Firma Chefin | Maschine+ Produkt Auto | dat:Kunde,!Bank auf+D:Tagung
vergessen       | Chefin Assistentin Kunde | Sitzung Passwort Rechnung Tasche | in+D:!Zug,!Büro active chance
arbeiten        | Ingenieur Sekretär Assistentin | - | *für:Firma,Bank in+D:!Werkstatt,=Wien adv:fleißig stative
auf/räumen      | Sekretär Assistentin | Büro Schreibtisch Werkstatt | nach:!Fest,!Sitzung adv:schnell
bestellen       | Sekretär Direktor Kundin | Drucker Stuhl+ Schreibtisch Lampe | für:!Büro bei:Firma
verhandeln      | Chefin Direktor | - | *über+A:!Preis,!Vertrag mit:Firma,Kundin in+D:=Wien adv:geduldig
Sitzung ist     | lang langweilig
Drucker ist     | langsam laut
Drucker ist     | kaputt
Kundin ist      | zufrieden
Preis ist       | hoch
Plan ist        | gut einfach
Büro ist        | leer
"""
