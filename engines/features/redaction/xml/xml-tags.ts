import { encodeXml } from '../../../pdf/metadata'
import { cutMatches } from '../search-rules/cut-matches'
import type { Rule } from '../search-rules/rule'
import { isStandardName } from '../names/standard-names'
import { cutDecoded } from '../search-rules/encoded-text'
import type { XmlEntities } from './xml-entities'

/** Prefixes of namespaces that specifications define: XMP with the namespaces of PDF and images, RDF, XFA, XML. */
export const KNOWN_PREFIXES = new Set(
  `adhocwf aux album bmsp crs creatorAtom dam dc dcterms desc drone exif exifEX extensis GPano Iptc4xmpCore Iptc4xmpExt illustrator iX lr mwg-rs
  pdf pdfaExtension pdfaField pdfaid pdfaProperty pdfaSchema pdfaType pdfd pdfe pdfeid pdfuaid pdfvtid pdfxid photoshop plus prism prl pur rdf rdfs
  rights stArea stDim stEvt stFnt stJob stMfs stRef stVer svg tiff wf x xap xapBJ xapG xapGImg xapMM xapRights xapTPg xdp xfa xfdf xhtml xml xmlns
  xmp xmpBJ xmpDM xmpG xmpGImg xmpidq xmpMM xmpNote xmpRights xmpT xmpTPg xsi`.split(/\s+/),
)

/** Prefixes of RDF and of the core namespaces of XMP, and their names (XMP specification, part 1, 7 and 8). */
const CORE_PREFIXES = new Set('dc dcterms pdf pdfaid pdfuaid rdf stEvt stRef x xmp xmpMM xmpRights'.split(' '))
const CORE_NAMES = new Set(
  `abstract accessRights action Advisory alternative amd Alt Bag BaseURL Certificate changed conformance contributor corr coverage CreateDate created creator CreatorTool
  date DerivedFrom description Description DocumentID documentID extent filePath format fromPart Identifier identifier Ingredients InstanceID instanceID issued Keywords Label
  language LastURL ID History li license maskMarkers ManagedFrom Manager manager managerVariant ManagerVariant ManageTo manageTo ManageUI manageUI Manifest Marked MetadataDate
  mediator ModifyDate modified Nickname nodeID originalDocumentID OriginalDocumentID Owner Pantry parameters parseType part partMapping PDFVersion Producer provenance publisher
  Rating RDF relation RenditionClass renditionClass RenditionParams renditionParams resource rev rights rightsHolder SaveID Seq softwareAgent source spatial subject
  tableOfContents temporal Thumbnails title toPart Trapped type UsageTerms value VersionID versionID Versions WebStatement when xmpmeta xmptk xpacket about abouttext`.split(
    /\s+/,
  ),
)

/** Returns whether a core namespace doesn't define a name. */
function isUnknownIn(prefix: string, local: string): boolean {
  return CORE_PREFIXES.has(prefix) && !CORE_NAMES.has(local)
}

/** XHTML elements that separate the words before and after them. Elements with another prefix separate words too. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 ' +
    'h6 head header hr html li main nav ol p pre section table tbody td tfoot th thead title tr ul'
  ).split(' '),
)

/** Inline elements of XHTML. */
const INLINES = new Set(
  (
    'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q rp rt ruby s samp small span strike ' +
    'strong sub sup tt u var wbr'
  ).split(' '),
)

/** Returns whether a tag may be inside a word: inline elements of XHTML, and unknown elements without a prefix. */
export function isInline(tag: string): boolean {
  const name = /^<\/?([^\s/>]+)/.exec(tag)?.[1] ?? ''
  const local = name.slice(name.indexOf(':') + 1).toLowerCase()
  return INLINES.has(local) || (local === name.toLowerCase() && !BLOCKS.has(local))
}

const ATTRIBUTE = /([^\s=<>/"']{1,200})(\s{0,200}=\s*)("[^"]*"|'[^']*')/g

/** The replacement for names with a match. */
const RENAMED = 'redacted'

/**
 * Removes matches from the attribute values of a tag, and from names in custom namespaces. Returns undefined if nothing
 * matches. Returns an empty string if a prefix matches, because the prefix would have to be renamed elsewhere too.
 */
export function cutTag(
  tag: string,
  rules: readonly Rule[],
  { entities, isCounted }: { entities: XmlEntities; isCounted: boolean },
): string | undefined {
  let isCut = false
  let isLost = false
  const cut = (text: string): string | undefined => {
    const left = cutMatches(text, rules, { isCounted }) ?? cutDecoded(text, rules, { isCounted })
    isCut ||= left !== undefined
    return left
  }
  const cutName = (name: string): string => {
    const colon = name.indexOf(':')
    const prefix = name.slice(0, Math.max(0, colon))
    if (colon < 0 || KNOWN_PREFIXES.has(prefix)) {
      if (isUnknownIn(prefix, name.slice(colon + 1)) && cut(name.slice(colon + 1)) !== undefined) isLost = true
      if (prefix === 'xmlns' && !KNOWN_PREFIXES.has(name.slice(colon + 1)) && cut(name.slice(colon + 1)) !== undefined)
        isLost = true
      return name
    }
    if (cut(prefix) !== undefined) isLost = true
    if (isStandardName(name.slice(colon + 1))) return name
    const left = cut(readName(name.slice(colon + 1)))
    return left === undefined ? name : `${prefix}:${RENAMED}${left.replace(/[^\p{L}\p{N}_.-]/gu, '')}`
  }
  const head = /^<\/?[^\s/>]+/.exec(tag)?.[0] ?? ''
  const open = head.startsWith('</') ? '</' : '<'
  const rest = tag.slice(head.length).replace(ATTRIBUTE, (_whole, name: string, equals: string, quoted: string) => {
    const [quote, value] = [quoted.slice(0, 1), quoted.slice(1, -1)]
    const left = cut(entities.decode(value))
    const isNamespace = name === 'xmlns' || name.startsWith('xmlns:')
    const written =
      left === undefined
        ? value
        : isNamespace && left.trim() === ''
          ? RENAMED
          : encodeXml(left).replaceAll("'", '&#39;')
    return `${cutName(name)}${equals}${quote}${written}${quote}`
  })
  const written = `${open}${cutName(head.slice(open.length))}${rest}`
  if (isLost) return ''
  return isCut ? written : undefined
}

/**
 * Decodes the name of a custom XMP property. U+2182 followed by a code stands for a character that XML names can't
 * contain.
 */
function readName(name: string): string {
  return name.replace(/\u2182([0-9a-fA-F]{4})/g, (_sign: string, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
