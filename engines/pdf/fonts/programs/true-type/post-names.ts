import { FontData, readUnlessDamaged } from '../font-data'

/** The 258 Macintosh glyph names, to which the `post` table refers by number (OpenType, `post`, format 1). */
const MAC_GLYPH_ORDER: readonly string[] = (
  '.notdef .null nonmarkingreturn space exclam quotedbl numbersign dollar percent ampersand quotesingle ' +
  'parenleft parenright asterisk plus comma hyphen period slash zero one two three four five six seven eight ' +
  'nine colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z ' +
  'bracketleft backslash bracketright asciicircum underscore grave a b c d e f g h i j k l m n o p q r s t u v ' +
  'w x y z braceleft bar braceright asciitilde Adieresis Aring Ccedilla Eacute Ntilde Odieresis Udieresis ' +
  'aacute agrave acircumflex adieresis atilde aring ccedilla eacute egrave ecircumflex edieresis iacute igrave ' +
  'icircumflex idieresis ntilde oacute ograve ocircumflex odieresis otilde uacute ugrave ucircumflex udieresis ' +
  'dagger degree cent sterling section bullet paragraph germandbls registered copyright trademark acute ' +
  'dieresis notequal AE Oslash infinity plusminus lessequal greaterequal yen mu partialdiff summation product ' +
  'pi integral ordfeminine ordmasculine Omega ae oslash questiondown exclamdown logicalnot radical florin ' +
  'approxequal Delta guillemotleft guillemotright ellipsis nonbreakingspace Agrave Atilde Otilde OE oe endash ' +
  'emdash quotedblleft quotedblright quoteleft quoteright divide lozenge ydieresis Ydieresis fraction currency ' +
  'guilsinglleft guilsinglright fi fl daggerdbl periodcentered quotesinglbase quotedblbase perthousand ' +
  'Acircumflex Ecircumflex Aacute Edieresis Egrave Iacute Icircumflex Idieresis Igrave Oacute Ocircumflex apple ' +
  'Ograve Uacute Ucircumflex Ugrave dotlessi circumflex tilde macron breve dotaccent ring cedilla hungarumlaut ' +
  'ogonek caron Lslash lslash Scaron scaron Zcaron zcaron brokenbar Eth eth Yacute yacute Thorn thorn minus ' +
  'multiply onesuperior twosuperior threesuperior onehalf onequarter threequarters franc Gbreve gbreve ' +
  'Idotaccent Scedilla scedilla Cacute cacute Ccaron ccaron dcroat'
).split(' ')

/** Versions of the `post` table that have glyph names. */
const MAC_ORDER = 0x00010000
const OWN_ORDER = 0x00020000

const HEADER_BYTES = 32

/** The glyph names of a font. */
export interface PostNames {
  /** Returns the first glyph with this name. */
  glyphOf(name: string): number | undefined
  nameOf(glyph: number): string | undefined
}

/**
 * Opens the `post` table (OpenType, `post`) of a font with this number of glyphs. A damaged or missing table has no
 * names.
 */
export function openPostNames(table: Uint8Array | undefined, glyphCount: number): PostNames {
  let names: readonly string[] | undefined
  let byName: ReadonlyMap<string, number> | undefined
  const list = (): readonly string[] =>
    (names ??= (table && readUnlessDamaged(() => readNames(new FontData(table)))) ?? [])
  return {
    glyphOf: name => (byName ??= indexNames(list())).get(name),
    // The Macintosh order only applies if the font has all of its 258 glyphs. Many subsets state this format although
    // they have other glyphs.
    nameOf: glyph =>
      list() === MAC_GLYPH_ORDER && glyphCount !== MAC_GLYPH_ORDER.length ? undefined : list()[glyph] || undefined,
  }
}

function readNames(data: FontData): readonly string[] {
  const version = data.u32(0)
  if (version === MAC_ORDER) return MAC_GLYPH_ORDER
  return version === OWN_ORDER ? readOwnOrder(data) : []
}

function readOwnOrder(data: FontData): string[] {
  const count = data.u16(HEADER_BYTES)
  const spelled: string[] = []
  let at = HEADER_BYTES + 2 + count * 2
  while (at < data.length) {
    const end = Math.min(at + 1 + data.u8(at), data.length)
    spelled.push(Buffer.from(data.slice(at + 1, end)).toString('latin1'))
    at = end
  }
  return Array.from({ length: count }, (_, glyph) => {
    const number = data.u16(HEADER_BYTES + 2 + glyph * 2)
    return (number < MAC_GLYPH_ORDER.length ? MAC_GLYPH_ORDER[number] : spelled[number - MAC_GLYPH_ORDER.length]) ?? ''
  })
}

function indexNames(names: readonly string[]): Map<string, number> {
  const byName = new Map<string, number>()
  for (const [glyph, name] of names.entries()) if (name && !byName.has(name)) byName.set(name, glyph)
  return byName
}
