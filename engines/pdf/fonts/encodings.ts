import { listStandardEncoding } from './programs/cff/cff-predefined'

/** The name of the glyph that stands for missing ones. */
export const NOTDEF = '.notdef'

/** Glyph names of WinAnsiEncoding from code 127 on (ISO 32000-2, annex D.2). Unused codes show a bullet. */
const WIN_ANSI =
  'bullet Euro bullet quotesinglbase florin quotedblbase ellipsis dagger daggerdbl circumflex perthousand Scaron ' +
  'guilsinglleft OE bullet Zcaron bullet bullet quoteleft quoteright quotedblleft quotedblright bullet endash emdash ' +
  'tilde trademark scaron guilsinglright oe bullet zcaron Ydieresis space exclamdown cent sterling currency yen ' +
  'brokenbar section dieresis copyright ordfeminine guillemotleft logicalnot hyphen registered macron degree ' +
  'plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla onesuperior ordmasculine ' +
  'guillemotright onequarter onehalf threequarters questiondown Agrave Aacute Acircumflex Atilde Adieresis Aring AE ' +
  'Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute ' +
  'Ocircumflex Otilde Odieresis multiply Oslash Ugrave Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave ' +
  'aacute acircumflex atilde adieresis aring ae ccedilla egrave eacute ecircumflex edieresis igrave iacute ' +
  'icircumflex idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide oslash ugrave uacute ' +
  'ucircumflex udieresis yacute thorn ydieresis'

/** Glyph names of the Macintosh's own encoding from code 128 on. */
const MAC =
  'Adieresis Aring Ccedilla Eacute Ntilde Odieresis Udieresis aacute agrave acircumflex adieresis atilde aring ' +
  'ccedilla eacute egrave ecircumflex edieresis iacute igrave icircumflex idieresis ntilde oacute ograve ocircumflex ' +
  'odieresis otilde uacute ugrave ucircumflex udieresis dagger degree cent sterling section bullet paragraph ' +
  'germandbls registered copyright trademark acute dieresis notequal AE Oslash infinity plusminus lessequal ' +
  'greaterequal yen mu partialdiff summation product pi integral ordfeminine ordmasculine Omega ae oslash ' +
  'questiondown exclamdown logicalnot radical florin approxequal Delta guillemotleft guillemotright ellipsis space ' +
  'Agrave Atilde Otilde OE oe endash emdash quotedblleft quotedblright quoteleft quoteright divide lozenge ydieresis ' +
  'Ydieresis fraction currency guilsinglleft guilsinglright fi fl daggerdbl periodcentered quotesinglbase ' +
  'quotedblbase perthousand Acircumflex Ecircumflex Aacute Edieresis Egrave Iacute Icircumflex Idieresis Igrave ' +
  'Oacute Ocircumflex apple Ograve Uacute Ucircumflex Ugrave dotlessi circumflex tilde macron breve dotaccent ring ' +
  'cedilla hungarumlaut ogonek caron'

/** Names that MacRomanEncoding leaves out (ISO 32000-2, table 113). */
const MAC_ONLY = new Set(
  (
    'notequal infinity lessequal greaterequal partialdiff summation product pi integral Omega radical approxequal ' +
    'Delta lozenge apple'
  ).split(' '),
)

/** Glyph names of MacExpertEncoding from code 32 on (ISO 32000-2, annex D.4), with `-` for an unused code. */
const MAC_EXPERT =
  'space exclamsmall Hungarumlautsmall centoldstyle dollaroldstyle dollarsuperior ampersandsmall Acutesmall ' +
  'parenleftsuperior parenrightsuperior twodotenleader onedotenleader comma hyphen period fraction zerooldstyle ' +
  'oneoldstyle twooldstyle threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle eightoldstyle ' +
  'nineoldstyle colon semicolon - threequartersemdash - questionsmall - - - - Ethsmall - - onequarter onehalf ' +
  'threequarters oneeighth threeeighths fiveeighths seveneighths onethird twothirds - - - - - - ff fi fl ffi ffl ' +
  'parenleftinferior - parenrightinferior Circumflexsmall hypheninferior Gravesmall Asmall Bsmall Csmall Dsmall ' +
  'Esmall Fsmall Gsmall Hsmall Ismall Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall ' +
  'Usmall Vsmall Wsmall Xsmall Ysmall Zsmall colonmonetary onefitted rupiah Tildesmall - - asuperior centsuperior - ' +
  '- - - Aacutesmall Agravesmall Acircumflexsmall Adieresissmall Atildesmall Aringsmall Ccedillasmall Eacutesmall ' +
  'Egravesmall Ecircumflexsmall Edieresissmall Iacutesmall Igravesmall Icircumflexsmall Idieresissmall Ntildesmall ' +
  'Oacutesmall Ogravesmall Ocircumflexsmall Odieresissmall Otildesmall Uacutesmall Ugravesmall Ucircumflexsmall ' +
  'Udieresissmall - eightsuperior fourinferior threeinferior sixinferior eightinferior seveninferior Scaronsmall - ' +
  'centinferior twoinferior - Dieresissmall - Caronsmall osuperior fiveinferior - commainferior periodinferior ' +
  'Yacutesmall - dollarinferior - - Thornsmall - nineinferior zeroinferior Zcaronsmall AEsmall Oslashsmall ' +
  'questiondownsmall oneinferior Lslashsmall - - - - - - Cedillasmall - - - - - OEsmall figuredash hyphensuperior - ' +
  '- - - exclamdownsmall - Ydieresissmall - onesuperior twosuperior threesuperior foursuperior fivesuperior ' +
  'sixsuperior sevensuperior ninesuperior zerosuperior - esuperior rsuperior tsuperior - - isuperior ssuperior ' +
  'dsuperior - - - - - lsuperior Ogoneksmall Brevesmall Macronsmall bsuperior nsuperior msuperior commasuperior ' +
  'periodsuperior Dotaccentsmall Ringsmall'

type Names = readonly string[]

const SINGLE_QUOTE = 39
const GRAVE = 96

let listed: Readonly<Record<string, Names>> | undefined

/**
 * Returns the glyph names of an encoding by code (ISO 32000-2, annex D), with `.notdef` for unused codes. Undefined for an
 * unknown encoding. `MacintoshEncoding` is MacRomanEncoding with all characters of the Macintosh.
 */
export function listEncoding(name: string | undefined): Names | undefined {
  listed ??= readEncodings()
  return name !== undefined && Object.hasOwn(listed, name) ? listed[name] : undefined
}

function readEncodings(): Record<string, Names> {
  const standard = listStandardEncoding()
  const from = (first: number, names: string): Names => [
    ...Array.from({ length: first }, (_, code) => asciiName(standard, code)),
    ...names.split(' '),
  ]
  const expert = [...Array.from({ length: 32 }, () => NOTDEF), ...MAC_EXPERT.split(' ')]
  return {
    StandardEncoding: Array.from({ length: 256 }, (_, code) => standard.get(code) ?? NOTDEF),
    WinAnsiEncoding: from(127, WIN_ANSI),
    MacintoshEncoding: from(128, MAC),
    MacRomanEncoding: from(128, MAC).map(name => (MAC_ONLY.has(name) ? NOTDEF : name)),
    MacExpertEncoding: Array.from({ length: 256 }, (_, code) => (expert[code] ?? '-').replace(/^-$/, NOTDEF)),
  }
}

/** In the standard encoding, two codes of ASCII have other quotation marks. */
function asciiName(standard: ReadonlyMap<number, string>, code: number): string {
  if (code === SINGLE_QUOTE) return 'quotesingle'
  return code === GRAVE ? 'grave' : (standard.get(code) ?? NOTDEF)
}
