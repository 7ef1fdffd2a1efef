/** The entities of XML, and names of characters that hide in words. */
const COMMON = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", commat: '@' }))

/** The entities of Latin-1 in the order of their codes, from 160 (HTML 4.01, 24.2.1). */
const LATIN = new Map(
  (
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
    'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
    'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
    'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
    'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
    'thorn yuml'
  )
    .split(' ')
    .map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
)

/** The character of a named entity that XML or HTML defines. Undefined for other names. */
export function readNamedEntity(name: string): string | undefined {
  return COMMON.get(name) ?? LATIN.get(name)
}
