/**
 * The names of the Adobe Glyph List that the list for new fonts leaves out, by code point: `name:hex`, `name=` for the
 * code point of the name before, and `name` for the next code point. Its license is in docs/third-party-notices.txt.
 */
export const OLDER_GLYPH_NAMES =
  'controlNULL= controlSTX controlSOT controlETX controlEOT controlENQ controlACK controlBEL controlBS controlHT ' +
  'controlLF controlVT controlFF controlCR controlSO controlSI controlDLE controlDC1 controlDC2 controlDC3 ' +
  'controlDC4 controlNAK controlSYN controlETB controlCAN controlEM controlSUB controlESC controlFS controlGS ' +
  'controlRS controlUS spacehackarabic verticalbar:7C controlDEL:7F nbspace:A0 nonbreakingspace= circlecopyrt:A9 ' +
  'sfthyphen:AD softhyphen= overscore:AF twosuperior:B2 threesuperior mu1:B5 middot:B7 onesuperior:B9 Cdot:10A ' +
  'cdot Dslash:110 dmacron Edot:116 edot Gdot:120 gdot Gcedilla Gcommaaccent= gcedilla gcommaaccent= Idot:130 ' +
  'Kcedilla:136 Kcommaaccent= kcedilla kcommaaccent= Lcedilla:13B Lcommaaccent= lcedilla lcommaaccent= ' +
  'Ldotaccent:13F ldotaccent Ncedilla:145 Ncommaaccent= ncedilla ncommaaccent= quoterightn:149 Odblacute:150 ' +
  'odblacute Rcedilla:156 Rcommaaccent= rcedilla rcommaaccent= Tcedilla:162 Tcommaaccent= tcedilla tcommaaccent= ' +
  'Udblacute:170 udblacute Zdot:17B zdot slong:17F bstroke Bhook Btopbar btopbar Tonesix tonesix Oopen Chook chook ' +
  'Dafrican Dhook Dtopbar dtopbar deltaturned Ereversed Schwa Eopen Fhook Ghook:193 Gammaafrican hv Iotaafrican ' +
  'Istroke Khook khook lbar lambdastroke Mturned Nhookleft nlegrightlong Ocenteredtilde Oi:1A2 oi Phook phook yr ' +
  'Tonetwo tonetwo Esh eshreversedloop tpalatalhook Thook thook Tretroflexhook Upsilonafrican:1B1 Vhook Yhook ' +
  'yhook Zstroke zstroke Ezh Ezhreversed ezhreversed ezhtail twostroke Tonefive tonefive glottalinvertedstroke ' +
  'wynn clickdental clicklateral clickalveolar clickretroflex DZcaron Dzcaron dzcaron LJ Lj lj NJ Nj nj Acaron ' +
  'acaron Icaron icaron Ocaron ocaron Ucaron ucaron Udieresismacron udieresismacron Udieresisacute udieresisacute ' +
  'Udieresiscaron udieresiscaron Udieresisgrave udieresisgrave eturned Adieresismacron adieresismacron Adotmacron ' +
  'adotmacron AEmacron aemacron Gstroke gstroke Kcaron:1E8 kcaron Oogonek oogonek Oogonekmacron oogonekmacron ' +
  'Ezhcaron ezhcaron jcaron DZ Dz dz Gacute gacute Ostrokeacute:1FE ostrokeacute Adblgrave adblgrave ' +
  'Ainvertedbreve ainvertedbreve Edblgrave edblgrave Einvertedbreve einvertedbreve Idblgrave idblgrave ' +
  'Iinvertedbreve iinvertedbreve Odblgrave odblgrave Oinvertedbreve oinvertedbreve Rdblgrave rdblgrave ' +
  'Rinvertedbreve rinvertedbreve Udblgrave udblgrave Uinvertedbreve uinvertedbreve Scommaaccent scommaaccent ' +
  'aturned:250 ascript ascriptturned bhook oopen ccurl dtail dhook ereversed schwa schwahook eopen eopenreversed ' +
  'eopenreversedhook eopenreversedclosed jdotlessstroke ghook gscript gammalatinsmall:263 ramshorn hturned hhook ' +
  'henghook istroke iotalatin lmiddletilde:26B lbelt lhookretroflex lezh mturned mlonglegturned mhook nhookleft ' +
  'nhookretroflex obarred:275 omegalatinclosed:277 philatin rturned rlonglegturned rhookturned rlongleg rhook ' +
  'rfishhook rfishhookreversed Rsmallinverted:281 shook esh dotlessjstrokehook eshsquatreversed eshcurl tturned ' +
  'tretroflexhook ubar upsilonlatin vhook vturned wturned yturned zretroflexhook:290 zcurl ezh ezhcurl glottalstop ' +
  'glottalstopreversed glottalstopinverted cstretched bilabialclick eopenclosed:29A Gsmallhook jcrossedtail:29D ' +
  'kturned qhook:2A0 glottalstopstroke glottalstopstrokereversed dzaltone dezh dzcurl ts tesh tccurl hsuperior:2B0 ' +
  'hhooksuperior jsuperior rturnedsuperior:2B4 rhookturnedsuperior Rsmallinvertedsuperior wsuperior ysuperior ' +
  'primemod dblprimemod commaturnedmod afii57929 apostrophemod= afii64937 commareversedmod= ringhalfright ' +
  'ringhalfleft glottalstopmod glottalstopreversedmod arrowheadleftmod arrowheadrightmod arrowheadupmod ' +
  'arrowheaddownmod verticallinemod:2C8 firsttonechinese secondtonechinese fourthtonechinese verticallinelowmod ' +
  'macronlowmod gravelowmod acutelowmod colontriangularmod colontriangularhalfmod ringhalfrightcentered ' +
  'ringhalfleftcentered uptackmod downtackmod plusmod minusmod ilde:2DC rhotichookmod:2DE gammasuperior:2E0 ' +
  'xsuperior:2E3 glottalstopreversedsuperior tonebarextrahighmod tonebarhighmod tonebarmidmod tonebarlowmod ' +
  'tonebarextralowmod gravecmb:300 acutecmb circumflexcmb tildecmb macroncmb overlinecmb brevecmb dotaccentcmb ' +
  'dieresiscmb hookcmb ringcmb hungarumlautcmb caroncmb verticallineabovecmb dblverticallineabovecmb dblgravecmb ' +
  'candrabinducmb breveinvertedcmb commaturnedabovecmb commaabovecmb commareversedabovecmb commaaboverightcmb ' +
  'gravebelowcmb acutebelowcmb lefttackbelowcmb righttackbelowcmb leftangleabovecmb horncmb ringhalfleftbelowcmb ' +
  'uptackbelowcmb downtackbelowcmb plusbelowcmb minusbelowcmb hookpalatalizedbelowcmb hookretroflexbelowcmb ' +
  'dotbelowcmb dieresisbelowcmb ringbelowcmb cedillacmb:327 ogonekcmb verticallinebelowcmb bridgebelowcmb ' +
  'dblarchinvertedbelowcmb caronbelowcmb circumflexbelowcmb brevebelowcmb breveinvertedbelowcmb tildebelowcmb ' +
  'macronbelowcmb lowlinecmb dbllowlinecmb tildeoverlaycmb strokeshortoverlaycmb strokelongoverlaycmb ' +
  'solidusshortoverlaycmb soliduslongoverlaycmb ringhalfrightbelowcmb bridgeinvertedbelowcmb squarebelowcmb ' +
  'seagullbelowcmb xabovecmb tildeverticalcmb dbloverlinecmb gravetonecmb acutetonecmb perispomenigreekcmb ' +
  'koroniscmb dialytikatonoscmb ypogegrammenigreekcmb tildedoublecmb:360 breveinverteddoublecmb ' +
  'numeralsigngreek:374 numeralsignlowergreek ypogegrammeni:37A questiongreek:37E dialytikatonos:385 ' +
  'Deltagreek:394 Omegagreek:3A9 mugreek:3BC sigmafinal:3C2 betasymbolgreek:3D0 thetasymbolgreek Upsilonhooksymbol ' +
  'Upsilonacutehooksymbolgreek Upsilondieresishooksymbolgreek phisymbolgreek pisymbolgreek Stigmagreek:3DA ' +
  'Digammagreek:3DC Koppagreek:3DE Sampigreek:3E0 Sheicoptic:3E2 sheicoptic Feicoptic feicoptic Kheicoptic ' +
  'kheicoptic Horicoptic horicoptic Gangiacoptic gangiacoptic Shimacoptic shimacoptic Deicoptic deicoptic ' +
  'kappasymbolgreek rhosymbolgreek sigmalunatesymbolgreek yotgreek Iocyrillic:401 afii10023= Djecyrillic ' +
  'afii10051= Gjecyrillic afii10052= Ecyrillic afii10053= Dzecyrillic afii10054= Icyrillic afii10055= Yicyrillic ' +
  'afii10056= Jecyrillic afii10057= Ljecyrillic afii10058= Njecyrillic afii10059= Tshecyrillic afii10060= ' +
  'Kjecyrillic afii10061= Ushortcyrillic:40E afii10062= Dzhecyrillic afii10145= Acyrillic afii10017= Becyrillic ' +
  'afii10018= Vecyrillic afii10019= Gecyrillic afii10020= Decyrillic afii10021= Iecyrillic afii10022= Zhecyrillic ' +
  'afii10024= Zecyrillic afii10025= Iicyrillic afii10026= Iishortcyrillic afii10027= Kacyrillic afii10028= ' +
  'Elcyrillic afii10029= Emcyrillic afii10030= Encyrillic afii10031= Ocyrillic afii10032= Pecyrillic afii10033= ' +
  'Ercyrillic afii10034= Escyrillic afii10035= Tecyrillic afii10036= Ucyrillic afii10037= Efcyrillic afii10038= ' +
  'Khacyrillic afii10039= Tsecyrillic afii10040= Checyrillic afii10041= Shacyrillic afii10042= Shchacyrillic ' +
  'afii10043= Hardsigncyrillic afii10044= Yericyrillic afii10045= Softsigncyrillic afii10046= Ereversedcyrillic ' +
  'afii10047= IUcyrillic afii10048= IAcyrillic afii10049= acyrillic afii10065= afii10066 becyrillic= afii10067 ' +
  'vecyrillic= afii10068 gecyrillic= afii10069 decyrillic= afii10070 iecyrillic= afii10072 zhecyrillic= afii10073 ' +
  'zecyrillic= afii10074 iicyrillic= afii10075 iishortcyrillic= afii10076 kacyrillic= afii10077 elcyrillic= ' +
  'afii10078 emcyrillic= afii10079 encyrillic= afii10080 ocyrillic= afii10081 pecyrillic= afii10082 ercyrillic= ' +
  'afii10083 escyrillic= afii10084 tecyrillic= afii10085 ucyrillic= afii10086 efcyrillic= afii10087 khacyrillic= ' +
  'afii10088 tsecyrillic= afii10089 checyrillic= afii10090 shacyrillic= afii10091 shchacyrillic= afii10092 ' +
  'hardsigncyrillic= afii10093 yericyrillic= afii10094 softsigncyrillic= afii10095 ereversedcyrillic= afii10096 ' +
  'iucyrillic= afii10097 iacyrillic= afii10071:451 iocyrillic= afii10099 djecyrillic= afii10100 gjecyrillic= ' +
  'afii10101 ecyrillic= afii10102 dzecyrillic= afii10103 icyrillic= afii10104 yicyrillic= afii10105 jecyrillic= ' +
  'afii10106 ljecyrillic= afii10107 njecyrillic= afii10108 tshecyrillic= afii10109 kjecyrillic= afii10110:45E ' +
  'ushortcyrillic= afii10193 dzhecyrillic= Omegacyrillic omegacyrillic Yatcyrillic afii10146= afii10194 ' +
  'yatcyrillic= Eiotifiedcyrillic eiotifiedcyrillic Yuslittlecyrillic yuslittlecyrillic Yuslittleiotifiedcyrillic ' +
  'yuslittleiotifiedcyrillic Yusbigcyrillic yusbigcyrillic Yusbigiotifiedcyrillic yusbigiotifiedcyrillic ' +
  'Ksicyrillic ksicyrillic Psicyrillic psicyrillic Fitacyrillic afii10147= afii10195 fitacyrillic= Izhitsacyrillic ' +
  'afii10148= afii10196 izhitsacyrillic= Izhitsadblgravecyrillic izhitsadblgravecyrillic Ukcyrillic ukcyrillic ' +
  'Omegaroundcyrillic omegaroundcyrillic Omegatitlocyrillic omegatitlocyrillic Otcyrillic otcyrillic Koppacyrillic ' +
  'koppacyrillic thousandcyrillic titlocyrilliccmb palatalizationcyrilliccmb dasiapneumatacyrilliccmb ' +
  'psilipneumatacyrilliccmb Gheupturncyrillic:490 afii10050= afii10098 gheupturncyrillic= Ghestrokecyrillic ' +
  'ghestrokecyrillic Ghemiddlehookcyrillic ghemiddlehookcyrillic Zhedescendercyrillic zhedescendercyrillic ' +
  'Zedescendercyrillic zedescendercyrillic Kadescendercyrillic kadescendercyrillic Kaverticalstrokecyrillic ' +
  'kaverticalstrokecyrillic Kastrokecyrillic kastrokecyrillic Kabashkircyrillic kabashkircyrillic ' +
  'Endescendercyrillic endescendercyrillic Enghecyrillic enghecyrillic Pemiddlehookcyrillic pemiddlehookcyrillic ' +
  'Haabkhasiancyrillic haabkhasiancyrillic Esdescendercyrillic esdescendercyrillic Tedescendercyrillic ' +
  'tedescendercyrillic Ustraightcyrillic ustraightcyrillic Ustraightstrokecyrillic ustraightstrokecyrillic ' +
  'Hadescendercyrillic hadescendercyrillic Tetsecyrillic tetsecyrillic Chedescendercyrillic chedescendercyrillic ' +
  'Cheverticalstrokecyrillic cheverticalstrokecyrillic Shhacyrillic shhacyrillic Cheabkhasiancyrillic ' +
  'cheabkhasiancyrillic Chedescenderabkhasiancyrillic chedescenderabkhasiancyrillic palochkacyrillic ' +
  'Zhebrevecyrillic zhebrevecyrillic Kahookcyrillic kahookcyrillic Enhookcyrillic:4C7 enhookcyrillic ' +
  'Chekhakassiancyrillic:4CB chekhakassiancyrillic Abrevecyrillic:4D0 abrevecyrillic Adieresiscyrillic ' +
  'adieresiscyrillic Aiecyrillic aiecyrillic Iebrevecyrillic iebrevecyrillic Schwacyrillic afii10846 ' +
  'schwacyrillic= Schwadieresiscyrillic schwadieresiscyrillic Zhedieresiscyrillic zhedieresiscyrillic ' +
  'Zedieresiscyrillic zedieresiscyrillic Dzeabkhasiancyrillic dzeabkhasiancyrillic Imacroncyrillic imacroncyrillic ' +
  'Idieresiscyrillic idieresiscyrillic Odieresiscyrillic odieresiscyrillic Obarredcyrillic obarredcyrillic ' +
  'Obarreddieresiscyrillic obarreddieresiscyrillic Umacroncyrillic:4EE umacroncyrillic Udieresiscyrillic ' +
  'udieresiscyrillic Uhungarumlautcyrillic uhungarumlautcyrillic Chedieresiscyrillic chedieresiscyrillic ' +
  'Yerudieresiscyrillic:4F8 yerudieresiscyrillic Aybarmenian:531 Benarmenian Gimarmenian Daarmenian Echarmenian ' +
  'Zaarmenian Eharmenian Etarmenian Toarmenian Zhearmenian Iniarmenian Liwnarmenian Xeharmenian Caarmenian ' +
  'Kenarmenian Hoarmenian Jaarmenian Ghadarmenian Cheharmenian Menarmenian Yiarmenian Nowarmenian Shaarmenian ' +
  'Voarmenian Chaarmenian Peharmenian Jheharmenian Raarmenian Seharmenian Vewarmenian Tiwnarmenian Reharmenian ' +
  'Coarmenian Yiwnarmenian Piwrarmenian Keharmenian Oharmenian Feharmenian ringhalfleftarmenian:559 ' +
  'apostrophearmenian emphasismarkarmenian exclamarmenian commaarmenian questionarmenian abbreviationmarkarmenian ' +
  'aybarmenian:561 benarmenian gimarmenian daarmenian echarmenian zaarmenian eharmenian etarmenian toarmenian ' +
  'zhearmenian iniarmenian liwnarmenian xeharmenian caarmenian kenarmenian hoarmenian jaarmenian ghadarmenian ' +
  'cheharmenian menarmenian yiarmenian nowarmenian shaarmenian voarmenian chaarmenian peharmenian jheharmenian ' +
  'raarmenian seharmenian vewarmenian tiwnarmenian reharmenian coarmenian yiwnarmenian piwrarmenian keharmenian ' +
  'oharmenian feharmenian echyiwnarmenian periodarmenian:589 etnahtafoukhhebrew:591 etnahtafoukhlefthebrew= ' +
  'etnahtahebrew= etnahtalefthebrew= segoltahebrew shalshelethebrew zaqefqatanhebrew zaqefgadolhebrew tipehahebrew ' +
  'tipehalefthebrew= reviahebrew reviamugrashhebrew= zarqahebrew pashtahebrew yetivhebrew tevirhebrew ' +
  'tevirlefthebrew= gereshaccenthebrew gereshmuqdamhebrew gershayimaccenthebrew qarneyparahebrew ' +
  'telishagedolahebrew pazerhebrew munahhebrew:5A3 munahlefthebrew= mahapakhhebrew mahapakhlefthebrew= ' +
  'merkhahebrew merkhalefthebrew= merkhakefulahebrew merkhakefulalefthebrew= dargahebrew dargalefthebrew= ' +
  'qadmahebrew telishaqetanahebrew yerahbenyomohebrew yerahbenyomolefthebrew= olehebrew iluyhebrew dehihebrew ' +
  'zinorhebrew masoracirclehebrew afii57799 sheva= sheva115= sheva15= sheva22= sheva2e= shevahebrew= ' +
  'shevanarrowhebrew= shevaquarterhebrew= shevawidehebrew= afii57801 hatafsegol= hatafsegol17= hatafsegol24= ' +
  'hatafsegol30= hatafsegolhebrew= hatafsegolnarrowhebrew= hatafsegolquarterhebrew= hatafsegolwidehebrew= ' +
  'afii57800 hatafpatah= hatafpatah16= hatafpatah23= hatafpatah2f= hatafpatahhebrew= hatafpatahnarrowhebrew= ' +
  'hatafpatahquarterhebrew= hatafpatahwidehebrew= afii57802 hatafqamats= hatafqamats1b= hatafqamats28= ' +
  'hatafqamats34= hatafqamatshebrew= hatafqamatsnarrowhebrew= hatafqamatsquarterhebrew= hatafqamatswidehebrew= ' +
  'afii57793 hiriq= hiriq14= hiriq21= hiriq2d= hiriqhebrew= hiriqnarrowhebrew= hiriqquarterhebrew= ' +
  'hiriqwidehebrew= afii57794 tsere= tsere12= tsere1e= tsere2b= tserehebrew= tserenarrowhebrew= ' +
  'tserequarterhebrew= tserewidehebrew= afii57795 segol= segol13= segol1f= segol2c= segolhebrew= ' +
  'segolnarrowhebrew= segolquarterhebrew= segolwidehebrew= afii57798 patah= patah11= patah1d= patah2a= ' +
  'patahhebrew= patahnarrowhebrew= patahquarterhebrew= patahwidehebrew= afii57797 qamats= qamats10= qamats1a= ' +
  'qamats1c= qamats27= qamats29= qamats33= qamatsde= qamatshebrew= qamatsnarrowhebrew= qamatsqatanhebrew= ' +
  'qamatsqatannarrowhebrew= qamatsqatanquarterhebrew= qamatsqatanwidehebrew= qamatsquarterhebrew= ' +
  'qamatswidehebrew= afii57806 holam= holam19= holam26= holam32= holamhebrew= holamnarrowhebrew= ' +
  'holamquarterhebrew= holamwidehebrew= afii57796:5BB qubuts= qubuts18= qubuts25= qubuts31= qubutshebrew= ' +
  'qubutsnarrowhebrew= qubutsquarterhebrew= qubutswidehebrew= afii57807 dagesh= dageshhebrew= afii57839 ' +
  'siluqhebrew= siluqlefthebrew= afii57645 maqafhebrew= afii57841 rafe= rafehebrew= afii57842 paseqhebrew= ' +
  'afii57804 shindothebrew= afii57803 sindothebrew= afii57658 sofpasuqhebrew= upperdothebrew afii57664:5D0 alef= ' +
  'alefhebrew= afii57665 bet= bethebrew= afii57666 gimel= gimelhebrew= afii57667 dalet= dalethebrew= afii57668 he= ' +
  'hehebrew= afii57669 vav= vavhebrew= afii57670 zayin= zayinhebrew= afii57671 het= hethebrew= afii57672 tet= ' +
  'tethebrew= afii57673 yod= yodhebrew= afii57674 finalkaf= finalkafhebrew= afii57675 kaf= kafhebrew= afii57676 ' +
  'lamed= lamedhebrew= afii57677 finalmem= finalmemhebrew= afii57678 mem= memhebrew= afii57679 finalnun= ' +
  'finalnunhebrew= afii57680 nun= nunhebrew= afii57681 samekh= samekhhebrew= afii57682 ayin= ayinhebrew= afii57683 ' +
  'finalpe= finalpehebrew= afii57684 pe= pehebrew= afii57685 finaltsadi= finaltsadihebrew= afii57686 tsadi= ' +
  'tsadihebrew= afii57687 qof= qofhebrew= afii57688 resh= reshhebrew= afii57689 shin= shinhebrew= afii57690 tav= ' +
  'tavhebrew= afii57716:5F0 vavvavhebrew= afii57717 vavyodhebrew= afii57718 yodyodhebrew= gereshhebrew ' +
  'gershayimhebrew afii57388:60C commaarabic= afii57403:61B semicolonarabic= afii57407:61F questionarabic= ' +
  'afii57409:621 hamzaarabic= hamzalowarabic= afii57410 alefmaddaabovearabic= afii57411 alefhamzaabovearabic= ' +
  'afii57412 wawhamzaabovearabic= afii57413 alefhamzabelowarabic= afii57414 yehhamzaabovearabic= afii57415 ' +
  'alefarabic= afii57416 beharabic= afii57417 tehmarbutaarabic= afii57418 teharabic= afii57419 theharabic= ' +
  'afii57420 jeemarabic= afii57421 haharabic= afii57422 khaharabic= afii57423 dalarabic= afii57424 thalarabic= ' +
  'afii57425 reharabic= afii57426 zainarabic= afii57427 seenarabic= afii57428 sheenarabic= afii57429 sadarabic= ' +
  'afii57430 dadarabic= afii57431 taharabic= afii57432 zaharabic= afii57433 ainarabic= afii57434 ghainarabic= ' +
  'afii57440:640 kashidaautoarabic= kashidaautonosidebearingarabic= tatweelarabic= afii57441 feharabic= afii57442 ' +
  'qafarabic= afii57443 kafarabic= afii57444 lamarabic= afii57445 meemarabic= afii57446 noonarabic= afii57470 ' +
  'heharabic= afii57448 wawarabic= afii57449 alefmaksuraarabic= afii57450 yeharabic= afii57451 fathatanarabic= ' +
  'afii57452 dammatanaltonearabic= dammatanarabic= afii57453 kasratanarabic= afii57454 fathaarabic= ' +
  'fathalowarabic= afii57455 dammaarabic= dammalowarabic= afii57456 kasraarabic= afii57457 shaddaarabic= afii57458 ' +
  'sukunarabic= afii57392:660 zeroarabic= zerohackarabic= afii57393 onearabic= onehackarabic= afii57394 twoarabic= ' +
  'twohackarabic= afii57395 threearabic= threehackarabic= afii57396 fourarabic= fourhackarabic= afii57397 ' +
  'fivearabic= fivehackarabic= afii57398 sixarabic= sixhackarabic= afii57399 sevenarabic= sevenhackarabic= ' +
  'afii57400 eightarabic= eighthackarabic= afii57401 ninearabic= ninehackarabic= afii57381 percentarabic= ' +
  'decimalseparatorarabic decimalseparatorpersian= thousandsseparatorarabic thousandsseparatorpersian= afii63167 ' +
  'asteriskaltonearabic= asteriskarabic= afii57511:679 tteharabic= afii57506:67E peharabic= afii57507:686 ' +
  'tcheharabic= afii57512:688 ddalarabic= afii57513:691 rreharabic= afii57508:698 jeharabic= afii57505:6A4 ' +
  'veharabic= afii57509:6AF gafarabic= afii57514:6BA noonghunnaarabic= haaltonearabic:6C1 hehaltonearabic= ' +
  'yehthreedotsbelowarabic:6D1 afii57519 yehbarreearabic= afii57534:6D5 zeropersian:6F0 onepersian twopersian ' +
  'threepersian fourpersian fivepersian sixpersian sevenpersian eightpersian ninepersian candrabindudeva:901 ' +
  'anusvaradeva visargadeva adeva:905 aadeva ideva iideva udeva uudeva rvocalicdeva lvocalicdeva ecandradeva ' +
  'eshortdeva edeva aideva ocandradeva oshortdeva odeva audeva kadeva khadeva gadeva ghadeva ngadeva cadeva ' +
  'chadeva jadeva jhadeva nyadeva ttadeva tthadeva ddadeva ddhadeva nnadeva tadeva thadeva dadeva dhadeva nadeva ' +
  'nnnadeva padeva phadeva badeva bhadeva madeva yadeva radeva rradeva ladeva lladeva llladeva vadeva shadeva ' +
  'ssadeva sadeva hadeva nuktadeva:93C avagrahadeva aavowelsigndeva ivowelsigndeva iivowelsigndeva uvowelsigndeva ' +
  'uuvowelsigndeva rvocalicvowelsigndeva rrvocalicvowelsigndeva ecandravowelsigndeva eshortvowelsigndeva ' +
  'evowelsigndeva aivowelsigndeva ocandravowelsigndeva oshortvowelsigndeva ovowelsigndeva auvowelsigndeva ' +
  'viramadeva omdeva:950 udattadeva anudattadeva gravedeva acutedeva qadeva:958 khhadeva ghhadeva zadeva dddhadeva ' +
  'rhadeva fadeva yyadeva rrvocalicdeva llvocalicdeva lvocalicvowelsigndeva llvocalicvowelsigndeva danda dbldanda ' +
  'zerodeva onedeva twodeva threedeva fourdeva fivedeva sixdeva sevendeva eightdeva ninedeva abbreviationsigndeva ' +
  'candrabindubengali:981 anusvarabengali visargabengali abengali:985 aabengali ibengali iibengali ubengali ' +
  'uubengali rvocalicbengali lvocalicbengali ebengali:98F aibengali obengali:993 aubengali kabengali khabengali ' +
  'gabengali ghabengali ngabengali cabengali chabengali jabengali jhabengali nyabengali ttabengali tthabengali ' +
  'ddabengali ddhabengali nnabengali tabengali thabengali dabengali dhabengali nabengali pabengali:9AA phabengali ' +
  'babengali bhabengali mabengali yabengali rabengali labengali:9B2 shabengali:9B6 ssabengali sabengali habengali ' +
  'nuktabengali:9BC aavowelsignbengali:9BE ivowelsignbengali iivowelsignbengali uvowelsignbengali ' +
  'uuvowelsignbengali rvocalicvowelsignbengali rrvocalicvowelsignbengali evowelsignbengali:9C7 aivowelsignbengali ' +
  'ovowelsignbengali:9CB auvowelsignbengali viramabengali aulengthmarkbengali:9D7 rrabengali:9DC rhabengali ' +
  'yyabengali:9DF rrvocalicbengali llvocalicbengali lvocalicvowelsignbengali llvocalicvowelsignbengali ' +
  'zerobengali:9E6 onebengali twobengali threebengali fourbengali fivebengali sixbengali sevenbengali eightbengali ' +
  'ninebengali ramiddlediagonalbengali ralowerdiagonalbengali rupeemarkbengali rupeesignbengali ' +
  'onenumeratorbengali twonumeratorbengali threenumeratorbengali fournumeratorbengali ' +
  'denominatorminusonenumeratorbengali sixteencurrencydenominatorbengali issharbengali bindigurmukhi:A02 ' +
  'agurmukhi:A05 aagurmukhi igurmukhi iigurmukhi ugurmukhi uugurmukhi eegurmukhi:A0F aigurmukhi oogurmukhi:A13 ' +
  'augurmukhi kagurmukhi khagurmukhi gagurmukhi ghagurmukhi ngagurmukhi cagurmukhi chagurmukhi jagurmukhi ' +
  'jhagurmukhi nyagurmukhi ttagurmukhi tthagurmukhi ddagurmukhi ddhagurmukhi nnagurmukhi tagurmukhi thagurmukhi ' +
  'dagurmukhi dhagurmukhi nagurmukhi pagurmukhi:A2A phagurmukhi bagurmukhi bhagurmukhi magurmukhi yagurmukhi ' +
  'ragurmukhi lagurmukhi:A32 vagurmukhi:A35 shagurmukhi sagurmukhi:A38 hagurmukhi nuktagurmukhi:A3C ' +
  'aamatragurmukhi:A3E imatragurmukhi iimatragurmukhi umatragurmukhi uumatragurmukhi eematragurmukhi:A47 ' +
  'aimatragurmukhi oomatragurmukhi:A4B aumatragurmukhi halantgurmukhi khhagurmukhi:A59 ghhagurmukhi zagurmukhi ' +
  'rragurmukhi fagurmukhi:A5E zerogurmukhi:A66 onegurmukhi twogurmukhi threegurmukhi fourgurmukhi fivegurmukhi ' +
  'sixgurmukhi sevengurmukhi eightgurmukhi ninegurmukhi tippigurmukhi addakgurmukhi irigurmukhi uragurmukhi ' +
  'ekonkargurmukhi candrabindugujarati:A81 anusvaragujarati visargagujarati agujarati:A85 aagujarati igujarati ' +
  'iigujarati ugujarati uugujarati rvocalicgujarati ecandragujarati:A8D egujarati:A8F aigujarati ocandragujarati ' +
  'ogujarati:A93 augujarati kagujarati khagujarati gagujarati ghagujarati ngagujarati cagujarati chagujarati ' +
  'jagujarati jhagujarati nyagujarati ttagujarati tthagujarati ddagujarati ddhagujarati nnagujarati tagujarati ' +
  'thagujarati dagujarati dhagujarati nagujarati pagujarati:AAA phagujarati bagujarati bhagujarati magujarati ' +
  'yagujarati ragujarati lagujarati:AB2 llagujarati vagujarati:AB5 shagujarati ssagujarati sagujarati hagujarati ' +
  'nuktagujarati:ABC aavowelsigngujarati:ABE ivowelsigngujarati iivowelsigngujarati uvowelsigngujarati ' +
  'uuvowelsigngujarati rvocalicvowelsigngujarati rrvocalicvowelsigngujarati ecandravowelsigngujarati ' +
  'evowelsigngujarati:AC7 aivowelsigngujarati ocandravowelsigngujarati ovowelsigngujarati:ACB auvowelsigngujarati ' +
  'viramagujarati omgujarati:AD0 rrvocalicgujarati:AE0 zerogujarati:AE6 onegujarati twogujarati threegujarati ' +
  'fourgujarati fivegujarati sixgujarati sevengujarati eightgujarati ninegujarati kokaithai:E01 khokhaithai ' +
  'khokhuatthai khokhwaithai khokhonthai khorakhangthai ngonguthai chochanthai chochingthai chochangthai sosothai ' +
  'chochoethai yoyingthai dochadathai topatakthai thothanthai thonangmonthothai thophuthaothai nonenthai dodekthai ' +
  'totaothai thothungthai thothahanthai thothongthai nonuthai bobaimaithai poplathai phophungthai fofathai ' +
  'phophanthai fofanthai phosamphaothai momathai yoyakthai roruathai ruthai lolingthai luthai wowaenthai ' +
  'sosalathai sorusithai sosuathai hohipthai lochulathai oangthai honokhukthai paiyannoithai saraathai ' +
  'maihanakatthai saraaathai saraamthai saraithai saraiithai sarauethai saraueethai sarauthai sarauuthai ' +
  'phinthuthai bahtthai:E3F saraethai saraaethai saraothai saraaimaimuanthai saraaimaimalaithai lakkhangyaothai ' +
  'maiyamokthai maitaikhuthai maiekthai maithothai maitrithai maichattawathai thanthakhatthai nikhahitthai ' +
  'yamakkanthai fongmanthai zerothai onethai twothai threethai fourthai fivethai sixthai seventhai eightthai ' +
  'ninethai angkhankhuthai khomutthai Aringbelow:1E00 aringbelow Bdotaccent bdotaccent Bdotbelow bdotbelow ' +
  'Blinebelow blinebelow Ccedillaacute ccedillaacute Ddotaccent ddotaccent Ddotbelow ddotbelow Dlinebelow ' +
  'dlinebelow Dcedilla dcedilla Dcircumflexbelow dcircumflexbelow Emacrongrave emacrongrave Emacronacute ' +
  'emacronacute Ecircumflexbelow ecircumflexbelow Etildebelow etildebelow Ecedillabreve ecedillabreve Fdotaccent ' +
  'fdotaccent Gmacron gmacron Hdotaccent hdotaccent Hdotbelow hdotbelow Hdieresis hdieresis Hcedilla hcedilla ' +
  'Hbrevebelow hbrevebelow Itildebelow itildebelow Idieresisacute idieresisacute Kacute kacute Kdotbelow kdotbelow ' +
  'Klinebelow klinebelow Ldotbelow ldotbelow Ldotbelowmacron ldotbelowmacron Llinebelow llinebelow ' +
  'Lcircumflexbelow lcircumflexbelow Macute macute Mdotaccent mdotaccent Mdotbelow mdotbelow Ndotaccent ndotaccent ' +
  'Ndotbelow ndotbelow Nlinebelow nlinebelow Ncircumflexbelow ncircumflexbelow Otildeacute otildeacute ' +
  'Otildedieresis otildedieresis Omacrongrave omacrongrave Omacronacute omacronacute Pacute pacute Pdotaccent ' +
  'pdotaccent Rdotaccent rdotaccent Rdotbelow rdotbelow Rdotbelowmacron rdotbelowmacron Rlinebelow rlinebelow ' +
  'Sdotaccent sdotaccent Sdotbelow sdotbelow Sacutedotaccent sacutedotaccent Scarondotaccent scarondotaccent ' +
  'Sdotbelowdotaccent sdotbelowdotaccent Tdotaccent tdotaccent Tdotbelow tdotbelow Tlinebelow tlinebelow ' +
  'Tcircumflexbelow tcircumflexbelow Udieresisbelow udieresisbelow Utildebelow utildebelow Ucircumflexbelow ' +
  'ucircumflexbelow Utildeacute utildeacute Umacrondieresis umacrondieresis Vtilde vtilde Vdotbelow vdotbelow ' +
  'Wdotaccent:1E86 wdotaccent Wdotbelow wdotbelow Xdotaccent xdotaccent Xdieresis xdieresis Ydotaccent ydotaccent ' +
  'Zcircumflex zcircumflex Zdotbelow zdotbelow Zlinebelow zlinebelow hlinebelow tdieresis wring yring ' +
  'arighthalfring slongdotaccent Adotbelow:1EA0 adotbelow Ahookabove ahookabove Acircumflexacute acircumflexacute ' +
  'Acircumflexgrave acircumflexgrave Acircumflexhookabove acircumflexhookabove Acircumflextilde acircumflextilde ' +
  'Acircumflexdotbelow acircumflexdotbelow Abreveacute abreveacute Abrevegrave abrevegrave Abrevehookabove ' +
  'abrevehookabove Abrevetilde abrevetilde Abrevedotbelow abrevedotbelow Edotbelow edotbelow Ehookabove ehookabove ' +
  'Etilde etilde Ecircumflexacute ecircumflexacute Ecircumflexgrave ecircumflexgrave Ecircumflexhookabove ' +
  'ecircumflexhookabove Ecircumflextilde ecircumflextilde Ecircumflexdotbelow ecircumflexdotbelow Ihookabove ' +
  'ihookabove Idotbelow idotbelow Odotbelow odotbelow Ohookabove ohookabove Ocircumflexacute ocircumflexacute ' +
  'Ocircumflexgrave ocircumflexgrave Ocircumflexhookabove ocircumflexhookabove Ocircumflextilde ocircumflextilde ' +
  'Ocircumflexdotbelow ocircumflexdotbelow Ohornacute ohornacute Ohorngrave ohorngrave Ohornhookabove ' +
  'ohornhookabove Ohorntilde ohorntilde Ohorndotbelow ohorndotbelow Udotbelow udotbelow Uhookabove uhookabove ' +
  'Uhornacute uhornacute Uhorngrave uhorngrave Uhornhookabove uhornhookabove Uhorntilde uhorntilde Uhorndotbelow ' +
  'uhorndotbelow Ydotbelow:1EF4 ydotbelow Yhookabove yhookabove Ytilde ytilde enspace:2002 zerowidthspace:200B ' +
  'afii61664 zerowidthnonjoiner= afii301 afii299 afii300 hyphentwo afii00208:2015 horizontalbar= dblverticalbar ' +
  'dbllowline quoteleftreversed:201B twodotleader:2025 afii61573:202C afii61574 afii61575 primereversed:2035 ' +
  'referencemark:203B overline:203E asterism:2042 zerosuperior:2070 foursuperior:2074 fivesuperior sixsuperior ' +
  'sevensuperior eightsuperior ninesuperior plussuperior equalsuperior:207C parenleftsuperior parenrightsuperior ' +
  'nsuperior zeroinferior oneinferior twoinferior threeinferior fourinferior fiveinferior sixinferior ' +
  'seveninferior eightinferior nineinferior parenleftinferior:208D parenrightinferior colonsign:20A1 cruzeiro ' +
  'afii08941:20A4 won:20A9 afii57636 newsheqelsign= sheqel= sheqelhebrew= euro:20AC centigrade:2103 afii61248:2105 ' +
  'careof= fahrenheit:2109 planckover2pi:210F planckover2pi1= afii61289:2113 lsquare= afii61352:2116 numero= ' +
  'telephone:2121 Ohm:2126 angstrom:212B Oneroman:2160 Tworoman Threeroman Fourroman Fiveroman Sixroman Sevenroman ' +
  'Eightroman Nineroman Tenroman Elevenroman Twelveroman oneroman:2170 tworoman threeroman fourroman fiveroman ' +
  'sixroman sevenroman eightroman nineroman tenroman elevenroman twelveroman arrowupleft:2196 arrowupright ' +
  'arrowdownright arrowdownleft arrowupdownbase:21A8 harpoonleftbarbup:21BC harpoonrightbarbup:21C0 ' +
  'arrowrightoverleft:21C4 arrowupleftofdown arrowleftoverright arrowleftdblstroke:21CD arrowrightdblstroke:21CF ' +
  'arrowleftdbl dblarrowright:21D2 dblarrowleft:21D4 pageup:21DE pagedown arrowdashleft arrowdashup arrowdashright ' +
  'arrowdashdown arrowtableft arrowtabright arrowleftwhite arrowupwhite arrowrightwhite arrowdownwhite capslock ' +
  'forall:2200 thereexists:2203 increment:2206 nabla notelementof:2209 notcontains:220C minusplus:2213 ' +
  'divisionslash:2215 bulletoperator:2219 rightangle:221F divides:2223 parallel:2225 notparallel dblintegral:222C ' +
  'contourintegral:222E because:2235 ratio proportion tildeoperator:223C reversedtilde asymptoticallyequal:2243 ' +
  'approximatelyequal:2245 allequal:224C approaches:2250 geometricallyequal approxequalorimage ' +
  'imageorapproximatelyequal notidentical:2262 lessoverequal:2266 greateroverequal muchless:226A muchgreater ' +
  'notless:226E notgreater notlessnorequal notgreaternorequal lessorequivalent greaterorequivalent ' +
  'lessorgreater:2276 greaterorless notgreaternorless:2279 precedes succeeds notprecedes:2280 notsucceeds subset ' +
  'superset notsuperset:2285 subsetorequal supersetorequal subsetnotequal:228A supersetnotequal pluscircle:2295 ' +
  'minuscircle timescircle circleot:2299 tackleft:22A3 tackdown righttriangle:22BF curlyor:22CE curlyand ' +
  'lessequalorgreater:22DA greaterequalorless ellipsisvertical:22EE control:2303 projective:2305 ' +
  'logicalnotreversed:2310 arc:2312 propellor:2318 integraltop:2320 integralbottom option:2325 deleteright clear ' +
  'deleteleft:232B blank:2423 onecircle:2460 twocircle threecircle fourcircle fivecircle sixcircle sevencircle ' +
  'eightcircle ninecircle tencircle elevencircle twelvecircle thirteencircle fourteencircle fifteencircle ' +
  'sixteencircle seventeencircle eighteencircle nineteencircle twentycircle oneparen twoparen threeparen fourparen ' +
  'fiveparen sixparen sevenparen eightparen nineparen tenparen elevenparen twelveparen thirteenparen fourteenparen ' +
  'fifteenparen sixteenparen seventeenparen eighteenparen nineteenparen twentyparen oneperiod twoperiod ' +
  'threeperiod fourperiod fiveperiod sixperiod sevenperiod eightperiod nineperiod tenperiod elevenperiod ' +
  'twelveperiod thirteenperiod fourteenperiod fifteenperiod sixteenperiod seventeenperiod eighteenperiod ' +
  'nineteenperiod twentyperiod aparen bparen cparen dparen eparen fparen gparen hparen iparen jparen kparen lparen ' +
  'mparen nparen oparen pparen qparen rparen sparen tparen uparen vparen wparen xparen yparen zparen Acircle ' +
  'Bcircle Ccircle Dcircle Ecircle Fcircle Gcircle Hcircle Icircle Jcircle Kcircle Lcircle Mcircle Ncircle Ocircle ' +
  'Pcircle Qcircle Rcircle Scircle Tcircle Ucircle Vcircle Wcircle Xcircle Ycircle Zcircle acircle bcircle ccircle ' +
  'dcircle ecircle fcircle gcircle hcircle icircle jcircle kcircle lcircle mcircle ncircle ocircle pcircle qcircle ' +
  'rcircle scircle tcircle ucircle vcircle wcircle xcircle ycircle zcircle shadelight:2591 shademedium shadedark ' +
  'blacksquare:25A0 whitesquare squarewhitewithsmallblack:25A3 squarehorizontalfill squareverticalfill ' +
  'squareorthogonalcrosshatchfill squareupperlefttolowerrightfill squareupperrighttolowerleftfill ' +
  'squarediagonalcrosshatchfill blacksmallsquare whitesmallsquare blackrectangle blackuppointingtriangle:25B2 ' +
  'whiteuppointingtriangle blackuppointingsmalltriangle whiteuppointingsmalltriangle blackrightpointingtriangle ' +
  'whiterightpointingtriangle whiterightpointingsmalltriangle:25B9 blackrightpointingpointer ' +
  'blackdownpointingtriangle:25BC whitedownpointingtriangle whitedownpointingsmalltriangle:25BF ' +
  'blackleftpointingtriangle whiteleftpointingtriangle whiteleftpointingsmalltriangle:25C3 ' +
  'blackleftpointingpointer blackdiamond:25C6 whitediamond whitediamondcontainingblacksmalldiamond fisheye ' +
  'whitecircle:25CB dottedcircle bullseye:25CE blackcircle circlewithlefthalfblack circlewithrighthalfblack ' +
  'bulletinverse:25D8 whitecircleinverse blacklowerrighttriangle:25E2 blacklowerlefttriangle ' +
  'blackupperlefttriangle blackupperrighttriangle whitebullet largecircle:25EF blackstar:2605 whitestar ' +
  'telephoneblack:260E whitetelephone pointingindexleftwhite:261C pointingindexupwhite pointingindexrightwhite ' +
  'pointingindexdownwhite yinyang:262F whitesmilingface:263A blacksmilingface compass venus:2640 earth mars ' +
  'spadesuitblack:2660 heartsuitwhite diamondsuitwhite clubsuitblack spadesuitwhite heartsuitblack ' +
  'clubsuitwhite:2667 hotsprings quarternote eighthnotebeamed:266B beamedsixteenthnotes musicflatsign ' +
  'musicsharpsign:266F checkmark:2713 onecircleinversesansserif:278A twocircleinversesansserif ' +
  'threecircleinversesansserif fourcircleinversesansserif fivecircleinversesansserif sixcircleinversesansserif ' +
  'sevencircleinversesansserif eightcircleinversesansserif ninecircleinversesansserif arrowrightheavy:279E ' +
  'ideographicspace:3000 ideographiccomma ideographicperiod dittomark jis ideographiciterationmark ' +
  'ideographicclose ideographiczero angbracketleft anglebracketleft= angbracketright anglebracketright= ' +
  'dblanglebracketleft dblanglebracketright cornerbracketleft cornerbracketright whitecornerbracketleft ' +
  'whitecornerbracketright blacklenticularbracketleft blacklenticularbracketright postalmark getamark ' +
  'tortoiseshellbracketleft tortoiseshellbracketright whitelenticularbracketleft whitelenticularbracketright ' +
  'whitetortoiseshellbracketleft whitetortoiseshellbracketright wavedash:301C quotedblprimereversed quotedblprime ' +
  'postalmarkface:3020 onehangzhou twohangzhou threehangzhou fourhangzhou fivehangzhou sixhangzhou sevenhangzhou ' +
  'eighthangzhou ninehangzhou circlepostalmark:3036 asmallhiragana:3041 ahiragana ismallhiragana ihiragana ' +
  'usmallhiragana uhiragana esmallhiragana ehiragana osmallhiragana ohiragana kahiragana gahiragana kihiragana ' +
  'gihiragana kuhiragana guhiragana kehiragana gehiragana kohiragana gohiragana sahiragana zahiragana sihiragana ' +
  'zihiragana suhiragana zuhiragana sehiragana zehiragana sohiragana zohiragana tahiragana dahiragana tihiragana ' +
  'dihiragana tusmallhiragana tuhiragana duhiragana tehiragana dehiragana tohiragana dohiragana nahiragana ' +
  'nihiragana nuhiragana nehiragana nohiragana hahiragana bahiragana pahiragana hihiragana bihiragana pihiragana ' +
  'huhiragana buhiragana puhiragana hehiragana behiragana pehiragana hohiragana bohiragana pohiragana mahiragana ' +
  'mihiragana muhiragana mehiragana mohiragana yasmallhiragana yahiragana yusmallhiragana yuhiragana ' +
  'yosmallhiragana yohiragana rahiragana rihiragana ruhiragana rehiragana rohiragana wasmallhiragana wahiragana ' +
  'wihiragana wehiragana wohiragana nhiragana vuhiragana voicedmarkkana:309B semivoicedmarkkana iterationhiragana ' +
  'voicediterationhiragana asmallkatakana:30A1 akatakana ismallkatakana ikatakana usmallkatakana ukatakana ' +
  'esmallkatakana ekatakana osmallkatakana okatakana kakatakana gakatakana kikatakana gikatakana kukatakana ' +
  'gukatakana kekatakana gekatakana kokatakana gokatakana sakatakana zakatakana sikatakana zikatakana sukatakana ' +
  'zukatakana sekatakana zekatakana sokatakana zokatakana takatakana dakatakana tikatakana dikatakana ' +
  'tusmallkatakana tukatakana dukatakana tekatakana dekatakana tokatakana dokatakana nakatakana nikatakana ' +
  'nukatakana nekatakana nokatakana hakatakana bakatakana pakatakana hikatakana bikatakana pikatakana hukatakana ' +
  'bukatakana pukatakana hekatakana bekatakana pekatakana hokatakana bokatakana pokatakana makatakana mikatakana ' +
  'mukatakana mekatakana mokatakana yasmallkatakana yakatakana yusmallkatakana yukatakana yosmallkatakana ' +
  'yokatakana rakatakana rikatakana rukatakana rekatakana rokatakana wasmallkatakana wakatakana wikatakana ' +
  'wekatakana wokatakana nkatakana vukatakana kasmallkatakana kesmallkatakana vakatakana vikatakana vekatakana ' +
  'vokatakana dotkatakana prolongedkana iterationkatakana voicediterationkatakana bbopomofo:3105 pbopomofo ' +
  'mbopomofo fbopomofo dbopomofo tbopomofo nbopomofo lbopomofo gbopomofo kbopomofo hbopomofo jbopomofo qbopomofo ' +
  'xbopomofo zhbopomofo chbopomofo shbopomofo rbopomofo zbopomofo cbopomofo sbopomofo abopomofo obopomofo ' +
  'ebopomofo ehbopomofo aibopomofo eibopomofo aubopomofo oubopomofo anbopomofo enbopomofo angbopomofo engbopomofo ' +
  'erbopomofo ibopomofo ubopomofo iubopomofo kiyeokkorean:3131 ssangkiyeokkorean kiyeoksioskorean nieunkorean ' +
  'nieuncieuckorean nieunhieuhkorean tikeutkorean ssangtikeutkorean rieulkorean rieulkiyeokkorean rieulmieumkorean ' +
  'rieulpieupkorean rieulsioskorean rieulthieuthkorean rieulphieuphkorean rieulhieuhkorean mieumkorean pieupkorean ' +
  'ssangpieupkorean pieupsioskorean sioskorean ssangsioskorean ieungkorean cieuckorean ssangcieuckorean ' +
  'chieuchkorean khieukhkorean thieuthkorean phieuphkorean hieuhkorean akorean aekorean yakorean yaekorean ' +
  'eokorean ekorean yeokorean yekorean okorean wakorean waekorean oekorean yokorean ukorean weokorean wekorean ' +
  'wikorean yukorean eukorean yikorean ikorean hangulfiller ssangnieunkorean nieuntikeutkorean nieunsioskorean ' +
  'nieunpansioskorean rieulkiyeoksioskorean rieultikeutkorean rieulpieupsioskorean rieulpansioskorean ' +
  'rieulyeorinhieuhkorean mieumpieupkorean mieumsioskorean mieumpansioskorean kapyeounmieumkorean ' +
  'pieupkiyeokkorean pieuptikeutkorean pieupsioskiyeokkorean pieupsiostikeutkorean pieupcieuckorean ' +
  'pieupthieuthkorean kapyeounpieupkorean kapyeounssangpieupkorean sioskiyeokkorean siosnieunkorean ' +
  'siostikeutkorean siospieupkorean sioscieuckorean pansioskorean ssangieungkorean yesieungkorean ' +
  'yesieungsioskorean yesieungpansioskorean kapyeounphieuphkorean ssanghieuhkorean yeorinhieuhkorean yoyakorean ' +
  'yoyaekorean yoikorean yuyeokorean yuyekorean yuikorean araeakorean araeaekorean kiyeokparenkorean:3200 ' +
  'nieunparenkorean tikeutparenkorean rieulparenkorean mieumparenkorean pieupparenkorean siosparenkorean ' +
  'ieungparenkorean cieucparenkorean chieuchparenkorean khieukhparenkorean thieuthparenkorean phieuphparenkorean ' +
  'hieuhparenkorean kiyeokaparenkorean nieunaparenkorean tikeutaparenkorean rieulaparenkorean mieumaparenkorean ' +
  'pieupaparenkorean siosaparenkorean ieungaparenkorean cieucaparenkorean chieuchaparenkorean khieukhaparenkorean ' +
  'thieuthaparenkorean phieuphaparenkorean hieuhaparenkorean cieucuparenkorean oneideographicparen:3220 ' +
  'twoideographicparen threeideographicparen fourideographicparen fiveideographicparen sixideographicparen ' +
  'sevenideographicparen eightideographicparen nineideographicparen tenideographicparen ideographicmoonparen ' +
  'ideographicfireparen ideographicwaterparen ideographicwoodparen ideographicmetalparen ideographicearthparen ' +
  'ideographicsunparen ideographicstockparen ideographichaveparen ideographicsocietyparen ideographicnameparen ' +
  'ideographicspecialparen ideographicfinancialparen ideographiccongratulationparen ideographiclaborparen ' +
  'ideographicrepresentparen ideographiccallparen ideographicstudyparen ideographicsuperviseparen ' +
  'ideographicenterpriseparen ideographicresourceparen ideographicallianceparen ideographicfestivalparen ' +
  'ideographicselfparen:3242 ideographicreachparen kiyeokcirclekorean:3260 nieuncirclekorean tikeutcirclekorean ' +
  'rieulcirclekorean mieumcirclekorean pieupcirclekorean sioscirclekorean ieungcirclekorean cieuccirclekorean ' +
  'chieuchcirclekorean khieukhcirclekorean thieuthcirclekorean phieuphcirclekorean hieuhcirclekorean ' +
  'kiyeokacirclekorean nieunacirclekorean tikeutacirclekorean rieulacirclekorean mieumacirclekorean ' +
  'pieupacirclekorean siosacirclekorean ieungacirclekorean cieucacirclekorean chieuchacirclekorean ' +
  'khieukhacirclekorean thieuthacirclekorean phieuphacirclekorean hieuhacirclekorean koreanstandardsymbol:327F ' +
  'ideographmooncircle:328A ideographfirecircle ideographwatercircle ideographwoodcircle ideographmetalcircle ' +
  'ideographearthcircle ideographsuncircle ideographnamecircle:3294 ideographicfinancialcircle:3296 ' +
  'ideographiclaborcircle:3298 ideographicsecretcircle ideographicexcellentcircle:329D ideographicprintcircle ' +
  'ideographiccorrectcircle:32A3 ideographichighcircle ideographiccentrecircle ideographiclowcircle ' +
  'ideographicleftcircle ideographicrightcircle ideographicmedicinecircle apaatosquare:3300 aarusquare:3303 ' +
  'intisquare:3305 karoriisquare:330D kirosquare:3314 kiroguramusquare kiromeetorusquare guramusquare:3318 ' +
  'kooposquare:331E sentisquare:3322 sentosquare dorusquare:3326 tonsquare haitusquare:332A paasentosquare ' +
  'birusquare:3331 huiitosquare:3333 hekutaarusquare:3336 herutusquare:3339 peezisquare:333B hoonsquare:3342 ' +
  'mansyonsquare:3347 mirisquare:3349 miribaarusquare meetorusquare:334D yaadosquare rittorusquare:3351 ' +
  'wattosquare:3357 heiseierasquare:337B syouwaerasquare taisyouerasquare meizierasquare corporationsquare ' +
  'paampssquare nasquare muasquare masquare kasquare KBsquare MBsquare GBsquare calsquare kcalsquare pfsquare ' +
  'nfsquare mufsquare mugsquare squaremg squarekg Hzsquare khzsquare mhzsquare ghzsquare thzsquare mulsquare ' +
  'mlsquare dlsquare klsquare fmsquare nmsquare mumsquare squaremm squarecm squarekm mmsquaredsquare ' +
  'cmsquaredsquare squaremsquared kmsquaredsquare mmcubedsquare cmcubedsquare mcubedsquare kmcubedsquare ' +
  'moverssquare moverssquaredsquare pasquare kpasquare mpasquare gpasquare radsquare radoverssquare ' +
  'radoverssquaredsquare pssquare nssquare mussquare mssquare pvsquare nvsquare muvsquare mvsquare kvsquare ' +
  'mvmegasquare pwsquare nwsquare muwsquare mwsquare kwsquare mwmegasquare kohmsquare mohmsquare amsquare bqsquare ' +
  'squarecc cdsquare coverkgsquare cosquare dbsquare gysquare hasquare HPsquare KKsquare:33CD squarekmcapital ' +
  'ktsquare lmsquare squareln squarelog lxsquare mbsquare squaremil molsquare pmsquare:33D8 srsquare:33DB svsquare ' +
  'wbsquare twentyhangzhou:5344 dotlessj:F6BE LL ll commaaccent:F6C3 afii10063 afii10064 afii10192 afii10831 ' +
  'afii10832 Acute Caron Dieresis DieresisAcute DieresisGrave Grave Hungarumlaut Macron cyrBreve cyrFlex dblGrave ' +
  'cyrbreve cyrflex dblgrave dieresisacute dieresisgrave copyrightserif registerserif trademarkserif onefitted ' +
  'rupiah threequartersemdash centinferior centsuperior commainferior commasuperior dollarinferior dollarsuperior ' +
  'hypheninferior hyphensuperior periodinferior periodsuperior asuperior bsuperior dsuperior esuperior isuperior ' +
  'lsuperior msuperior osuperior rsuperior ssuperior tsuperior Brevesmall Caronsmall Circumflexsmall ' +
  'Dotaccentsmall Hungarumlautsmall Lslashsmall OEsmall Ogoneksmall Ringsmall Scaronsmall Tildesmall Zcaronsmall ' +
  'exclamsmall:F721 dollaroldstyle:F724 ampersandsmall:F726 zerooldstyle:F730 oneoldstyle twooldstyle ' +
  'threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle eightoldstyle nineoldstyle questionsmall:F73F ' +
  'Gravesmall:F760 Asmall Bsmall Csmall Dsmall Esmall Fsmall Gsmall Hsmall Ismall Jsmall Ksmall Lsmall Msmall ' +
  'Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall Usmall Vsmall Wsmall Xsmall Ysmall Zsmall exclamdownsmall:F7A1 ' +
  'centoldstyle Dieresissmall:F7A8 Macronsmall:F7AF Acutesmall:F7B4 Cedillasmall:F7B8 questiondownsmall:F7BF ' +
  'Agravesmall:F7E0 Aacutesmall Acircumflexsmall Atildesmall Adieresissmall Aringsmall AEsmall Ccedillasmall ' +
  'Egravesmall Eacutesmall Ecircumflexsmall Edieresissmall Igravesmall Iacutesmall Icircumflexsmall Idieresissmall ' +
  'Ethsmall Ntildesmall Ogravesmall Oacutesmall Ocircumflexsmall Otildesmall Odieresissmall Oslashsmall:F7F8 ' +
  'Ugravesmall Uacutesmall Ucircumflexsmall Udieresissmall Yacutesmall Thornsmall Ydieresissmall ' +
  'maihanakatleftthai:F884 saraileftthai saraiileftthai saraueleftthai saraueeleftthai maitaikhuleftthai ' +
  'maiekupperleftthai maieklowrightthai maieklowleftthai maithoupperleftthai maitholowrightthai maitholowleftthai ' +
  'maitriupperleftthai maitrilowrightthai maitrilowleftthai maichattawaupperleftthai maichattawalowrightthai ' +
  'maichattawalowleftthai thanthakhatupperleftthai thanthakhatlowrightthai thanthakhatlowleftthai nikhahitleftthai ' +
  'radicalex:F8E5 arrowvertex arrowhorizex registersans copyrightsans trademarksans parenlefttp parenleftex ' +
  'parenleftbt bracketlefttp bracketleftex bracketleftbt bracelefttp braceleftmid braceleftbt braceex integralex ' +
  'parenrighttp parenrightex parenrightbt bracketrighttp bracketrightex bracketrightbt bracerighttp bracerightmid ' +
  'bracerightbt apple ff:FB00 fi fl ffi ffl afii57705:FB1F doubleyodpatah= doubleyodpatahhebrew= ' +
  'yodyodpatahhebrew= ayinaltonehebrew afii57694:FB2A shinshindot= shinshindothebrew= afii57695 shinsindot= ' +
  'shinsindothebrew= shindageshshindot shindageshshindothebrew= shindageshsindot shindageshsindothebrew= ' +
  'alefpatahhebrew alefqamatshebrew alefdageshhebrew betdagesh betdageshhebrew= gimeldagesh gimeldageshhebrew= ' +
  'daletdagesh daletdageshhebrew= hedagesh hedageshhebrew= afii57723 vavdagesh= vavdagesh65= vavdageshhebrew= ' +
  'zayindagesh zayindageshhebrew= tetdagesh:FB38 tetdageshhebrew= yoddagesh yoddageshhebrew= finalkafdagesh ' +
  'finalkafdageshhebrew= kafdagesh kafdageshhebrew= lameddagesh lameddageshhebrew= memdagesh:FB3E memdageshhebrew= ' +
  'nundagesh:FB40 nundageshhebrew= samekhdagesh samekhdageshhebrew= pefinaldageshhebrew:FB43 pedagesh ' +
  'pedageshhebrew= tsadidagesh:FB46 tsadidageshhebrew= qofdagesh qofdageshhebrew= reshdageshhebrew shindagesh ' +
  'shindageshhebrew= tavdages tavdagesh= tavdageshhebrew= afii57700 vavholam= vavholamhebrew= betrafehebrew ' +
  'kafrafehebrew perafehebrew aleflamedhebrew pehfinalarabic:FB57 pehinitialarabic pehmedialarabic ' +
  'ttehfinalarabic:FB67 ttehinitialarabic ttehmedialarabic vehfinalarabic:FB6B vehinitialarabic vehmedialarabic ' +
  'tchehfinalarabic:FB7B tchehinitialarabic tchehmedialarabic ddalfinalarabic:FB89 jehfinalarabic:FB8B ' +
  'rrehfinalarabic:FB8D gaffinalarabic:FB93 gafinitialarabic gafmedialarabic noonghunnafinalarabic:FB9F ' +
  'hehhamzaaboveisolatedarabic:FBA4 hehhamzaabovefinalarabic hehfinalaltonearabic:FBA7 hehinitialaltonearabic ' +
  'hehmedialaltonearabic yehbarreefinalarabic:FBAF behmeemisolatedarabic:FC08 tehjeemisolatedarabic:FC0B ' +
  'tehhahisolatedarabic tehmeemisolatedarabic:FC0E meemmeemisolatedarabic:FC48 noonjeemisolatedarabic:FC4B ' +
  'noonmeemisolatedarabic:FC4E yehmeemisolatedarabic:FC58 shaddadammatanarabic:FC5E shaddakasratanarabic ' +
  'shaddafathaarabic shaddadammaarabic shaddakasraarabic behnoonfinalarabic:FC6D tehnoonfinalarabic:FC73 ' +
  'noonnoonfinalarabic:FC8D yehnoonfinalarabic:FC94 behmeeminitialarabic:FC9F tehjeeminitialarabic:FCA1 ' +
  'tehhahinitialarabic tehmeeminitialarabic:FCA4 lamjeeminitialarabic:FCC9 lamhahinitialarabic ' +
  'lamkhahinitialarabic lammeeminitialarabic meemmeeminitialarabic:FCD1 noonjeeminitialarabic ' +
  'noonmeeminitialarabic:FCD5 yehmeeminitialarabic:FCDD parenleftaltonearabic:FD3E parenrightaltonearabic ' +
  'lammeemhahinitialarabic:FD88 lamlamhehisolatedarabic:FDF2 sallallahoualayhewasallamarabic:FDFA ' +
  'twodotleadervertical:FE30 emdashvertical endashvertical underscorevertical wavyunderscorevertical ' +
  'parenleftvertical parenrightvertical braceleftvertical bracerightvertical tortoiseshellbracketleftvertical ' +
  'tortoiseshellbracketrightvertical blacklenticularbracketleftvertical blacklenticularbracketrightvertical ' +
  'dblanglebracketleftvertical dblanglebracketrightvertical anglebracketleftvertical anglebracketrightvertical ' +
  'cornerbracketleftvertical cornerbracketrightvertical whitecornerbracketleftvertical ' +
  'whitecornerbracketrightvertical overlinedashed:FE49 overlinecenterline overlinewavy overlinedblwavy ' +
  'lowlinedashed lowlinecenterline underscorewavy commasmall periodsmall:FE52 semicolonsmall:FE54 colonsmall ' +
  'parenleftsmall:FE59 parenrightsmall braceleftsmall bracerightsmall tortoiseshellbracketleftsmall ' +
  'tortoiseshellbracketrightsmall numbersignsmall asterisksmall:FE61 plussmall hyphensmall lesssmall greatersmall ' +
  'equalsmall dollarsmall:FE69 percentsmall atsmall alefmaddaabovefinalarabic:FE82 alefhamzaabovefinalarabic:FE84 ' +
  'wawhamzaabovefinalarabic:FE86 alefhamzabelowfinalarabic:FE88 yehhamzaabovefinalarabic:FE8A ' +
  'yehhamzaaboveinitialarabic yehhamzaabovemedialarabic aleffinalarabic:FE8E behfinalarabic:FE90 behinitialarabic ' +
  'behmedialarabic tehmarbutafinalarabic:FE94 tehfinalarabic:FE96 tehinitialarabic tehmedialarabic ' +
  'thehfinalarabic:FE9A thehinitialarabic thehmedialarabic jeemfinalarabic:FE9E jeeminitialarabic jeemmedialarabic ' +
  'hahfinalarabic:FEA2 hahinitialarabic hahmedialarabic khahfinalarabic:FEA6 khahinitialarabic khahmedialarabic ' +
  'dalfinalarabic:FEAA thalfinalarabic:FEAC rehfinalarabic:FEAE zainfinalarabic:FEB0 seenfinalarabic:FEB2 ' +
  'seeninitialarabic seenmedialarabic sheenfinalarabic:FEB6 sheeninitialarabic sheenmedialarabic ' +
  'sadfinalarabic:FEBA sadinitialarabic sadmedialarabic dadfinalarabic:FEBE dadinitialarabic dadmedialarabic ' +
  'tahfinalarabic:FEC2 tahinitialarabic tahmedialarabic zahfinalarabic:FEC6 zahinitialarabic zahmedialarabic ' +
  'ainfinalarabic:FECA aininitialarabic ainmedialarabic ghainfinalarabic:FECE ghaininitialarabic ghainmedialarabic ' +
  'fehfinalarabic:FED2 fehinitialarabic fehmedialarabic qaffinalarabic:FED6 qafinitialarabic qafmedialarabic ' +
  'kaffinalarabic:FEDA kafinitialarabic kafmedialarabic lamfinalarabic:FEDE laminitialarabic lammedialarabic ' +
  'meemfinalarabic:FEE2 meeminitialarabic meemmedialarabic noonfinalarabic:FEE6 nooninitialarabic noonmedialarabic ' +
  'hehfinalalttwoarabic:FEEA hehfinalarabic= hehinitialarabic hehmedialarabic wawfinalarabic:FEEE ' +
  'alefmaksurafinalarabic:FEF0 yehfinalarabic:FEF2 alefmaksurainitialarabic yehinitialarabic= ' +
  'alefmaksuramedialarabic yehmedialarabic= lamalefmaddaaboveisolatedarabic lamalefmaddaabovefinalarabic ' +
  'lamalefhamzaaboveisolatedarabic lamalefhamzaabovefinalarabic lamalefhamzabelowisolatedarabic ' +
  'lamalefhamzabelowfinalarabic lamalefisolatedarabic lamaleffinalarabic zerowidthjoiner:FEFF exclammonospace:FF01 ' +
  'quotedblmonospace numbersignmonospace dollarmonospace percentmonospace ampersandmonospace quotesinglemonospace ' +
  'parenleftmonospace parenrightmonospace asteriskmonospace plusmonospace commamonospace hyphenmonospace ' +
  'periodmonospace slashmonospace zeromonospace onemonospace twomonospace threemonospace fourmonospace ' +
  'fivemonospace sixmonospace sevenmonospace eightmonospace ninemonospace colonmonospace semicolonmonospace ' +
  'lessmonospace equalmonospace greatermonospace questionmonospace atmonospace Amonospace Bmonospace Cmonospace ' +
  'Dmonospace Emonospace Fmonospace Gmonospace Hmonospace Imonospace Jmonospace Kmonospace Lmonospace Mmonospace ' +
  'Nmonospace Omonospace Pmonospace Qmonospace Rmonospace Smonospace Tmonospace Umonospace Vmonospace Wmonospace ' +
  'Xmonospace Ymonospace Zmonospace bracketleftmonospace backslashmonospace bracketrightmonospace ' +
  'asciicircummonospace underscoremonospace gravemonospace amonospace bmonospace cmonospace dmonospace emonospace ' +
  'fmonospace gmonospace hmonospace imonospace jmonospace kmonospace lmonospace mmonospace nmonospace omonospace ' +
  'pmonospace qmonospace rmonospace smonospace tmonospace umonospace vmonospace wmonospace xmonospace ymonospace ' +
  'zmonospace braceleftmonospace barmonospace bracerightmonospace asciitildemonospace periodhalfwidth:FF61 ' +
  'cornerbracketlefthalfwidth cornerbracketrighthalfwidth ideographiccommaleft middledotkatakanahalfwidth ' +
  'wokatakanahalfwidth asmallkatakanahalfwidth ismallkatakanahalfwidth usmallkatakanahalfwidth ' +
  'esmallkatakanahalfwidth osmallkatakanahalfwidth yasmallkatakanahalfwidth yusmallkatakanahalfwidth ' +
  'yosmallkatakanahalfwidth tusmallkatakanahalfwidth katahiraprolongmarkhalfwidth akatakanahalfwidth ' +
  'ikatakanahalfwidth ukatakanahalfwidth ekatakanahalfwidth okatakanahalfwidth kakatakanahalfwidth ' +
  'kikatakanahalfwidth kukatakanahalfwidth kekatakanahalfwidth kokatakanahalfwidth sakatakanahalfwidth ' +
  'sikatakanahalfwidth sukatakanahalfwidth sekatakanahalfwidth sokatakanahalfwidth takatakanahalfwidth ' +
  'tikatakanahalfwidth tukatakanahalfwidth tekatakanahalfwidth tokatakanahalfwidth nakatakanahalfwidth ' +
  'nikatakanahalfwidth nukatakanahalfwidth nekatakanahalfwidth nokatakanahalfwidth hakatakanahalfwidth ' +
  'hikatakanahalfwidth hukatakanahalfwidth hekatakanahalfwidth hokatakanahalfwidth makatakanahalfwidth ' +
  'mikatakanahalfwidth mukatakanahalfwidth mekatakanahalfwidth mokatakanahalfwidth yakatakanahalfwidth ' +
  'yukatakanahalfwidth yokatakanahalfwidth rakatakanahalfwidth rikatakanahalfwidth rukatakanahalfwidth ' +
  'rekatakanahalfwidth rokatakanahalfwidth wakatakanahalfwidth nkatakanahalfwidth voicedmarkkanahalfwidth ' +
  'semivoicedmarkkanahalfwidth centmonospace:FFE0 sterlingmonospace macronmonospace:FFE3 yenmonospace:FFE5 ' +
  'wonmonospace'
