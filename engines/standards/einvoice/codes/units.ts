import { CODES } from './codes'

/**
 * Codes of UN/ECE Recommendation 20 by the names of units in the languages of invoices. A name counts without its final
 * period, and in lower case.
 */
const NAMES: Readonly<Record<string, string>> = {
  C62:
    'one unit units einheit einheiten unité unités unite unites unidad unidades unità unidade eenheid eenheden ' +
    'jednostka 单位 單位 وحدة יחידה',
  H87:
    'piece pieces pc pcs pce item items ea each stück stueck stk st pièce pièces pz pza pieza piezas pezzo pezzi ' +
    'peça peças un und stuk stuks szt sztuka sztuki sztuk 個 本 枚 件 个 قطعة حبة פריט',
  HUR:
    'hour hours hr hrs h std stunde stunden heure heures hora horas ora ore uur uren godz godzina godziny godzin ' +
    '時間 小时 小時 ساعة ساعات שעה שעות',
  MIN: 'minute minutes min mins minuten minuto minutos minuti minuut minuta minuty minut 分 分钟 分鐘 دقيقة דקה דקות',
  DAY: 'day days d tag tage jour jours j día días dia dias giorno giorni gg dag dagen dzień dni 日 天 يوم أيام יום ימים',
  WEE: 'week weeks wk woche wochen semaine semaines semana semanas settimana settimane weken tydzień tygodnie 週 周 أسبوع שבוע',
  MON: 'month months mo monat monate mois mes meses mese mesi mês maand maanden miesiąc miesiące 月 ヶ月 か月 个月 個月 شهر أشهر חודש חודשים',
  ANN: 'year years yr jahr jahre an ans année années año años anno anni ano anos jaar jaren rok lata 年 سنة שנה שנים',
  KGM:
    'kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramo kilogramos chilo chilogrammo ' +
    'chilogrammi quilo quilograma quilogramas kilogramme كيلو كيلوغرام קילוגרם ק"ג',
  GRM: 'g gram grams gramm gramme grammes gramo gramos grammo grammi grama gramas غرام גרם',
  MGM: 'mg milligram milligrams milligramm',
  TNE: 't ton tons tonne tonnes tonnen tonelada toneladas tonnellata tonnellate tona tony طن טון',
  LBR: 'lb lbs pound pounds',
  ONZ: 'oz ounce ounces',
  MTR: 'm meter meters metre metres mètre mètres metro metros metri متر מטר',
  CMT: 'cm centimeter centimeters centimetre centimetres zentimeter',
  MMT: 'mm millimeter millimeters millimetre millimetres',
  KMT:
    'km kilometer kilometers kilometre kilometres kilomètre kilomètres kilómetro kilómetros chilometro chilometri ' +
    'quilómetro quilómetros كيلومتر ק"מ',
  FOT: 'ft foot feet',
  INH: 'in inch inches zoll',
  SMI: 'mi mile miles',
  MTK: 'm² m2 qm sqm',
  FTK: 'ft² ft2 sqft',
  MTQ: 'm³ m3 cbm',
  LTR: 'l liter liters litre litres litro litros litri لتر ליטר',
  MLT: 'ml milliliter milliliters millilitre millilitres',
  GLL: 'gal gallon gallons',
  KWH: 'kwh',
  MWH: 'mwh',
  KWT: 'kw kilowatt kilowatts',
  SET: 'set sets satz sätze jeu juego zestaw セット 套 طقم סט',
  PR: 'pair pairs pr paar paare paire paires par pares paio paia para pary 双 雙 足 زوج זוג',
  XBX: 'box boxes karton kartons kiste kisten boîte boîtes caja cajas scatola scatole caixa caixas doos pudełko 箱 盒 صندوق ארגז',
  XPK:
    'package packages pack packs pkg paket pakete packung packungen paquet paquets paquete paquetes pacco pacchi ' +
    'pacote pacotes pak paczka 包',
  XPX: 'pallet pallets palette paletten palettes palé palés paleta',
  XRO: 'roll rolls rolle rollen rouleau rouleaux rollo rollos rotolo rotoli rolo rolos',
  XBG: 'bag bags sack säcke sac sacs bolsa bolsas sacco sacchi saco sacos',
  XBO: 'bottle bottles flasche flaschen bouteille bouteilles botella botellas bottiglia bottiglie garrafa garrafas',
  DZN: 'dozen dozens dz dutzend douzaine douzaines docena docenas dozzina dozzine dúzia dúzias',
  ZP: 'page pages seite seiten página páginas pagina pagine strona strony ページ 页 頁',
  LS: 'flat flatrate lump-sum pauschal pauschale psch forfait forfaitaire forfettario ryczałt 式',
  P1: '% percent prozent',
}

const CODES_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([code, names]) => names.split(' ').map(name => [name, code] as const)),
)

/** Units that people write with a space. */
const PHRASES: ReadonlyMap<string, string> = new Map([
  ['lump sum', 'LS'],
  ['flat rate', 'LS'],
  ['square meter', 'MTK'],
  ['square meters', 'MTK'],
  ['cubic meter', 'MTQ'],
  ['cubic meters', 'MTQ'],
  ['person day', 'DAY'],
  ['person days', 'DAY'],
])

/**
 * Returns the code of a unit that an invoice prints, such as `HUR` for `hours`, `Std.` or `heures`. A code stands for
 * itself. Undefined for unknown units.
 */
export function findUnitCode(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '')
  const known = CODES_BY_NAME.get(name) ?? PHRASES.get(name)
  if (known !== undefined) return known
  const code = text.trim().toUpperCase()
  return CODES.units.has(code) ? code : undefined
}

/** Pieces, which many invoices print without a unit. */
const PIECES: ReadonlySet<string> = new Set(['C62', 'H87'])

/** The names that invoices print for a code. Empty for pieces and unknown codes. */
export function listUnitNames(code: string): string[] {
  const names = PIECES.has(code) ? undefined : NAMES[code]?.split(' ')
  if (!names) return []
  const phrases = [...PHRASES].flatMap(([phrase, phraseCode]) => (phraseCode === code ? phrase : []))
  return [code, SYMBOLS[code] ?? code, ...names, ...phrases]
}

/** Symbols that invoices print for codes. The unit "one" has no symbol. */
const SYMBOLS: Readonly<Record<string, string>> = {
  C62: '',
  H87: '',
  ANN: 'a',
  DAY: 'd',
  GRM: 'g',
  HUR: 'h',
  KGM: 'kg',
  KMT: 'km',
  KWH: 'kWh',
  LTR: 'l',
  MIN: 'min',
  MTK: 'm²',
  MTQ: 'm³',
  MTR: 'm',
  TNE: 't',
}

/** The symbol of a unit for people. Codes without a symbol stand for themselves. Empty for pieces. */
export function findSymbol(code: string | undefined): string | undefined {
  const upper = code?.trim().toUpperCase()
  return upper === undefined ? undefined : (SYMBOLS[upper] ?? upper)
}
