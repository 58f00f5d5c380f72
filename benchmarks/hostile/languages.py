# ruff: noqa: E501 (other scripts are wider)
"""One small story in many languages and scripts, written for this benchmark."""

from random import Random

STORY = {
    "German": """Am Morgen ging ich mit meiner Schwester auf den Markt. Wir wollten Brot, Käse und
        ein paar Äpfel kaufen, aber der Bäcker hatte noch nicht geöffnet. Also setzten wir uns auf
        eine Bank und warteten. Ein alter Mann kam vorbei und erzählte uns von dem großen Regen im
        letzten Jahr. Damals stand das Wasser bis zu den Fenstern, und niemand konnte das Haus
        verlassen. Wir hörten ihm lange zu. Als der Laden endlich aufmachte, war es schon fast
        Mittag. Auf dem Heimweg aßen wir die Hälfte des Brotes. Meine Mutter lachte nur und fragte,
        ob wir denn gar nichts für sie übrig gelassen hätten.""",
    "French": """Le matin, je suis allé au marché avec ma sœur. Nous voulions acheter du pain, du
        fromage et quelques pommes, mais le boulanger n'avait pas encore ouvert. Nous nous sommes
        donc assis sur un banc pour attendre. Un vieil homme est passé et nous a parlé de la grande
        pluie de l'année dernière. L'eau montait alors jusqu'aux fenêtres et personne ne pouvait
        quitter la maison. Nous l'avons écouté longtemps. Quand le magasin a enfin ouvert, il était
        presque midi. Sur le chemin du retour, nous avons mangé la moitié du pain. Ma mère a ri et
        nous a demandé si nous n'avions rien laissé pour elle.""",
    "Spanish": """Por la mañana fui al mercado con mi hermana. Queríamos comprar pan, queso y unas
        manzanas, pero el panadero todavía no había abierto. Entonces nos sentamos en un banco a
        esperar. Pasó un hombre viejo y nos habló de la gran lluvia del año pasado. El agua llegaba
        hasta las ventanas y nadie podía salir de casa. Lo escuchamos mucho tiempo. Cuando por fin
        abrieron la tienda, ya era casi mediodía. En el camino de vuelta nos comimos la mitad del
        pan. Mi madre se rio y preguntó si no le habíamos dejado nada.""",
    "Portuguese": """De manhã fui ao mercado com a minha irmã. Queríamos comprar pão, queijo e umas
        maçãs, mas o padeiro ainda não tinha aberto. Então sentámo-nos num banco à espera. Passou um
        homem velho que nos falou da grande chuva do ano passado. A água chegava às janelas e
        ninguém podia sair de casa. Ouvimos durante muito tempo. Quando a loja finalmente abriu, já
        era quase meio-dia. No caminho de volta comemos metade do pão. A minha mãe riu-se e
        perguntou se não tínhamos deixado nada para ela.""",
    "Italian": """La mattina sono andato al mercato con mia sorella. Volevamo comprare il pane, il
        formaggio e qualche mela, ma il fornaio non aveva ancora aperto. Così ci siamo seduti su una
        panchina ad aspettare. È passato un vecchio e ci ha raccontato della grande pioggia
        dell'anno scorso. L'acqua arrivava fino alle finestre e nessuno poteva uscire di casa. Lo
        abbiamo ascoltato a lungo. Quando il negozio ha finalmente aperto era quasi mezzogiorno.
        Sulla via del ritorno abbiamo mangiato metà del pane. Mia madre ha riso e ha chiesto se non
        le avevamo lasciato niente.""",
    "Dutch": """In de ochtend ging ik met mijn zus naar de markt. We wilden brood, kaas en een paar
        appels kopen, maar de bakker was nog niet open. Dus gingen we op een bank zitten wachten. Er
        kwam een oude man langs die ons vertelde over de grote regen van vorig jaar. Het water stond
        toen tot aan de ramen en niemand kon het huis uit. We luisterden lang naar hem. Toen de
        winkel eindelijk openging, was het al bijna middag. Onderweg naar huis aten we de helft van
        het brood op. Mijn moeder lachte en vroeg of we niets voor haar hadden overgelaten.""",
    "Afrikaans": """In die oggend het ek saam met my suster na die mark gegaan. Ons wou brood, kaas
        en 'n paar appels koop, maar die bakker was nog nie oop nie. Toe gaan sit ons op 'n bank en
        wag. 'n Ou man het verby gekom en ons vertel van die groot reën van verlede jaar. Die water
        het tot by die vensters gestaan en niemand kon die huis verlaat nie. Ons het lank na hom
        geluister. Toe die winkel uiteindelik oopmaak, was dit al amper middag. Op pad huis toe het
        ons die helfte van die brood geëet. My ma het gelag en gevra of ons niks vir haar oorgelaat
        het nie.""",
    "Swedish": """På morgonen gick jag till torget med min syster. Vi ville köpa bröd, ost och några
        äpplen, men bagaren hade inte öppnat än. Så vi satte oss på en bänk och väntade. En gammal
        man kom förbi och berättade om det stora regnet förra året. Vattnet stod då upp till
        fönstren och ingen kunde lämna huset. Vi lyssnade länge på honom. När affären äntligen
        öppnade var det nästan middag. På vägen hem åt vi upp hälften av brödet. Min mor skrattade
        och frågade om vi inte hade lämnat något åt henne.""",
    "Finnish": """Aamulla menin siskoni kanssa torille. Halusimme ostaa leipää, juustoa ja muutaman
        omenan, mutta leipuri ei ollut vielä avannut. Niinpä istuimme penkille odottamaan. Vanha
        mies tuli ohi ja kertoi meille viime vuoden suuresta sateesta. Vesi nousi silloin ikkunoihin
        asti, eikä kukaan päässyt ulos talosta. Kuuntelimme häntä pitkään. Kun kauppa lopulta
        aukesi, oli jo melkein keskipäivä. Kotimatkalla söimme puolet leivästä. Äitini nauroi ja
        kysyi, emmekö olleet jättäneet hänelle mitään.""",
    "Hungarian": """Reggel a nővéremmel kimentem a piacra. Kenyeret, sajtot és néhány almát akartunk
        venni, de a pék még nem nyitott ki. Így leültünk egy padra és vártunk. Arra jött egy öreg
        ember, és mesélt nekünk a tavalyi nagy esőről. A víz akkor az ablakokig ért, és senki sem
        tudott kimenni a házból. Sokáig hallgattuk. Mire a bolt végre kinyitott, már majdnem dél
        volt. Hazafelé megettük a kenyér felét. Anyám nevetett, és megkérdezte, hogy neki nem
        hagytunk-e semmit.""",
    "Polish": """Rano poszedłem z siostrą na targ. Chcieliśmy kupić chleb, ser i kilka jabłek, ale
        piekarz jeszcze nie otworzył. Usiedliśmy więc na ławce i czekaliśmy. Przechodził stary
        człowiek i opowiedział nam o wielkim deszczu z zeszłego roku. Woda sięgała wtedy okien i
        nikt nie mógł wyjść z domu. Słuchaliśmy go długo. Kiedy sklep wreszcie otworzono, było już
        prawie południe. W drodze do domu zjedliśmy połowę chleba. Moja matka zaśmiała się i
        zapytała, czy nic dla niej nie zostawiliśmy.""",
    "Turkish": """Sabah kız kardeşimle pazara gittim. Ekmek, peynir ve birkaç elma almak istiyorduk
        ama fırıncı daha açmamıştı. Biz de bir banka oturup bekledik. Yaşlı bir adam geçti ve bize
        geçen yılki büyük yağmuru anlattı. O zaman su pencerelere kadar çıkmış ve kimse evden
        çıkamamış. Onu uzun süre dinledik. Dükkân sonunda açıldığında neredeyse öğle olmuştu. Eve
        dönerken ekmeğin yarısını yedik. Annem güldü ve ona hiçbir şey bırakıp bırakmadığımızı
        sordu.""",
    "Indonesian": """Pagi itu saya pergi ke pasar bersama adik perempuan saya. Kami ingin membeli
        roti, keju dan beberapa apel, tetapi tukang roti belum buka. Jadi kami duduk di bangku dan
        menunggu. Seorang lelaki tua lewat dan bercerita tentang hujan besar tahun lalu. Waktu itu
        air naik sampai ke jendela dan tidak ada orang yang bisa keluar rumah. Kami mendengarkannya
        lama sekali. Ketika toko akhirnya buka, hari sudah hampir siang. Di jalan pulang kami makan
        separuh roti itu. Ibu saya tertawa dan bertanya apakah tidak ada yang tersisa untuknya.""",
    "Swahili": """Asubuhi nilienda sokoni na dada yangu. Tulitaka kununua mkate, jibini na matofaa
        machache, lakini mwokaji alikuwa bado hajafungua. Kwa hiyo tulikaa kwenye benchi na kusubiri.
        Mzee mmoja alipita na kutueleza kuhusu mvua kubwa ya mwaka jana. Wakati huo maji yalifika
        hadi madirishani na hakuna aliyeweza kutoka nyumbani. Tulimsikiliza kwa muda mrefu. Duka
        lilipofunguliwa hatimaye, ilikuwa karibu saa sita mchana. Njiani kurudi nyumbani tulikula
        nusu ya mkate. Mama yangu alicheka na kuuliza kama hatukumwachia chochote.""",
    "Vietnamese": """Buổi sáng tôi đi chợ với em gái. Chúng tôi muốn mua bánh mì, phô mai và vài quả
        táo, nhưng người thợ làm bánh chưa mở cửa. Vì vậy chúng tôi ngồi trên ghế và chờ. Một ông
        già đi ngang qua và kể cho chúng tôi nghe về trận mưa lớn năm ngoái. Lúc đó nước dâng lên
        đến cửa sổ và không ai ra khỏi nhà được. Chúng tôi nghe ông kể rất lâu. Khi cửa hàng mở cửa
        thì đã gần trưa. Trên đường về nhà chúng tôi ăn hết nửa ổ bánh. Mẹ tôi cười và hỏi chúng tôi
        có để lại gì cho mẹ không.""",
    "Latin": """Mane cum sorore mea ad forum ii. Panem, caseum et pauca mala emere volebamus, sed
        pistor nondum aperuerat. Itaque in scamno sedimus et exspectavimus. Senex quidam
        praeteriens nobis de magno imbre anni superioris narravit. Aqua tum usque ad fenestras
        pervenit, nec quisquam domo exire poterat. Diu eum audivimus. Cum taberna tandem aperta
        est, iam fere meridies erat. Domum redeuntes dimidium panis edimus. Mater mea risit et
        rogavit num sibi nihil reliquissemus.""",
    "Russian": """Утром я пошёл с сестрой на рынок. Мы хотели купить хлеб, сыр и несколько яблок, но
        пекарь ещё не открыл лавку. Поэтому мы сели на скамейку и стали ждать. Мимо проходил старик
        и рассказал нам о большом дожде прошлого года. Вода тогда поднялась до самых окон, и никто
        не мог выйти из дома. Мы долго его слушали. Когда магазин наконец открылся, был уже почти
        полдень. По дороге домой мы съели половину хлеба. Мама засмеялась и спросила, неужели мы
        ничего ей не оставили.""",
    "Russian, romanised": """Utrom ya poshol s sestroy na rynok. My khoteli kupit khleb, syr i
        neskolko yablok, no pekar yeshcho ne otkryl lavku. Poetomu my seli na skameyku i stali
        zhdat. Mimo prokhodil starik i rasskazal nam o bolshom dozhde proshlogo goda. Voda togda
        podnyalas do samykh okon, i nikto ne mog vyyti iz doma. My dolgo ego slushali. Kogda magazin
        nakonets otkrylsya, byl uzhe pochti polden. Po doroge domoy my syeli polovinu khleba. Mama
        zasmeyalas i sprosila, neuzheli my nichego yey ne ostavili.""",
    "Greek": """Το πρωί πήγα στην αγορά με την αδελφή μου. Θέλαμε να αγοράσουμε ψωμί, τυρί και
        μερικά μήλα, αλλά ο φούρναρης δεν είχε ανοίξει ακόμη. Έτσι καθίσαμε σε ένα παγκάκι και
        περιμέναμε. Πέρασε ένας γέρος και μας μίλησε για τη μεγάλη βροχή του περασμένου χρόνου. Το
        νερό είχε φτάσει τότε ως τα παράθυρα και κανείς δεν μπορούσε να βγει από το σπίτι. Τον
        ακούσαμε πολλή ώρα. Όταν το μαγαζί άνοιξε επιτέλους, ήταν σχεδόν μεσημέρι. Στον δρόμο για το
        σπίτι φάγαμε το μισό ψωμί. Η μητέρα μου γέλασε και ρώτησε αν δεν της αφήσαμε τίποτα.""",
    "Arabic": """في الصباح ذهبت إلى السوق مع أختي. أردنا أن نشتري الخبز والجبن وبعض التفاح، لكن
        الخباز لم يكن قد فتح بعد. فجلسنا على مقعد ننتظر. مر بنا رجل عجوز وحدثنا عن المطر الغزير في
        العام الماضي. كان الماء قد وصل إلى النوافذ ولم يستطع أحد أن يخرج من البيت. استمعنا إليه
        طويلا. عندما فتح الدكان أخيرا كان الوقت قد قارب الظهر. في طريق العودة أكلنا نصف الخبز.
        ضحكت أمي وسألت إن كنا لم نترك لها شيئا.""",
    "Hindi": """सुबह मैं अपनी बहन के साथ बाज़ार गया। हम रोटी, पनीर और कुछ सेब खरीदना चाहते थे, लेकिन
        दुकानदार ने अभी दुकान नहीं खोली थी। इसलिए हम एक बेंच पर बैठकर इंतज़ार करने लगे। एक बूढ़ा आदमी
        वहाँ से गुज़रा और उसने हमें पिछले साल की बड़ी बारिश के बारे में बताया। तब पानी खिड़कियों तक आ
        गया था और कोई घर से बाहर नहीं निकल सका। हमने बहुत देर तक उसकी बात सुनी। जब दुकान आखिर खुली
        तब लगभग दोपहर हो चुकी थी। घर लौटते समय हमने आधी रोटी खा ली। माँ हँसी और पूछा कि क्या हमने
        उसके लिए कुछ नहीं छोड़ा।""",
    "Hindi, romanised": """Subah main apni behen ke saath bazaar gaya. Hum roti, paneer aur kuch seb
        kharidna chahte the, lekin dukandar ne abhi dukaan nahin kholi thi. Isliye hum ek bench par
        baithkar intezaar karne lage. Ek boodha aadmi wahan se guzra aur usne hamein pichle saal ki
        badi baarish ke baare mein bataya. Tab paani khidkiyon tak aa gaya tha aur koi ghar se bahar
        nahin nikal saka. Humne bahut der tak uski baat suni. Jab dukaan aakhir khuli tab lagbhag
        dopahar ho chuki thi. Ghar lautte samay humne aadhi roti kha li. Maa hansi aur poocha ki kya
        humne uske liye kuch nahin chhoda.""",
    "Chinese": """早上我和妹妹一起去市场。我们想买面包、奶酪和几个苹果,可是面包师还没有开门。于是我们坐在长凳上
        等着。一位老人走过来,给我们讲去年那场大雨。那时水一直涨到窗户,谁也不能离开家。我们听他说了很久。商店终于
        开门的时候,已经快到中午了。回家的路上,我们吃掉了一半的面包。母亲笑了,问我们是不是什么也没给她留下。""",
    "Japanese": """朝、私は妹と市場へ行きました。パンとチーズとりんごをいくつか買いたかったのですが、パン屋はまだ
        開いていませんでした。それで私たちはベンチに座って待ちました。おじいさんが通りかかって、去年の大雨の話をして
        くれました。そのとき水は窓まで来て、だれも家から出られなかったそうです。私たちは長いあいだ話を聞きました。店が
        やっと開いたときには、もうお昼近くでした。帰り道でパンを半分食べてしまいました。母は笑って、私の分はないのと
        聞きました。""",
    "Japanese, romanised": """Asa, watashi wa imouto to ichiba e ikimashita. Pan to chiizu to ringo wo
        ikutsu ka kaitakatta no desu ga, pan'ya wa mada aite imasen deshita. Sore de watashitachi wa
        benchi ni suwatte machimashita. Ojiisan ga toorikakatte, kyonen no ooame no hanashi wo shite
        kuremashita. Sono toki mizu wa mado made kite, daremo ie kara derarenakatta sou desu.
        Watashitachi wa nagai aida hanashi wo kikimashita. Mise ga yatto aita toki ni wa, mou ohiru
        chikaku deshita. Kaerimichi de pan wo hanbun tabete shimaimashita. Haha wa waratte, watashi
        no bun wa nai no to kikimashita.""",
    "Korean": """아침에 나는 여동생과 함께 시장에 갔다. 우리는 빵과 치즈와 사과 몇 개를 사고 싶었지만 빵집은 아직
        문을 열지 않았다. 그래서 우리는 벤치에 앉아서 기다렸다. 한 노인이 지나가다가 작년의 큰비 이야기를 해 주었다.
        그때 물이 창문까지 차올라서 아무도 집 밖으로 나갈 수 없었다고 했다. 우리는 오랫동안 그 이야기를 들었다. 가게가
        드디어 문을 열었을 때는 거의 점심때였다. 집에 오는 길에 우리는 빵을 절반이나 먹었다. 어머니는 웃으면서 내 것은
        하나도 남기지 않았느냐고 물으셨다.""",
    "Welsh": """Yn y bore es i i'r farchnad gyda fy chwaer. Roedden ni eisiau prynu bara, caws ac
        ychydig o afalau, ond doedd y pobydd ddim wedi agor eto. Felly eisteddon ni ar fainc ac
        aros. Daeth hen ddyn heibio a dweud wrthon ni am y glaw mawr y llynedd. Roedd y dŵr wedi
        cyrraedd y ffenestri a doedd neb yn gallu gadael y tŷ. Buon ni'n gwrando arno am amser hir.
        Pan agorodd y siop o'r diwedd roedd hi bron yn ganol dydd. Ar y ffordd adref bwyton ni
        hanner y bara. Chwarddodd fy mam a gofyn a oedden ni wedi gadael dim iddi hi.""",
    "Tagalog": """Noong umaga pumunta ako sa palengke kasama ang aking kapatid. Gusto naming bumili
        ng tinapay, keso at ilang mansanas, pero hindi pa bukas ang panadero. Kaya umupo kami sa
        isang bangko at naghintay. May matandang lalaki na dumaan at nagkuwento tungkol sa malakas
        na ulan noong nakaraang taon. Umabot daw ang tubig hanggang sa mga bintana at walang
        makalabas ng bahay. Matagal kaming nakinig sa kanya. Nang magbukas na ang tindahan, halos
        tanghali na. Sa daan pauwi kinain namin ang kalahati ng tinapay. Tumawa ang nanay ko at
        nagtanong kung wala ba kaming itinira para sa kanya.""",
}  # fmt: skip


def sentences(language: str) -> list[str]:
    story = " ".join(STORY[language].split())
    for mark in (". ", "। ", "。"):
        if mark in story:
            return [sentence + mark for sentence in story.rstrip(".。।").split(mark)]
    return [story]


def story(language: str, n_words: int, rng: Random) -> str:
    """The story once; where that is too short, its sentences again in random order."""
    told = sentences(language)
    made = "".join(told)
    spaceless = len(made.split()) < 20
    while (len(made) if spaceless else len(made.split())) < n_words:
        made += " " + "".join(rng.sample(told, len(told)))
    return made
