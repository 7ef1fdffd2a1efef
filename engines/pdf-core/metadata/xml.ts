/** An element of a small XML document, and its position in the source. */
export interface XmlElement {
  /** `{namespace}name`. */
  name: string
  /** Values by `{namespace}name`, without namespace declarations. */
  attributes: Map<string, string>
  /** Attributes as written in the source, by the same names. */
  sources: Map<string, string>
  /** Namespaces by prefix, including those of parent elements. The prefix of the default namespace is empty. */
  prefixes: ReadonlyMap<string, string>
  children: XmlElement[]
  /** The element's text, without the text of its children. */
  text: string
  /** Position in the source. */
  start: number
  end: number
}

const XML = 'http://www.w3.org/XML/1998/namespace'
const MAX_ELEMENTS = 20_000
const MAX_DEPTH = 100
const NAME = String.raw`[\p{L}_][\p{L}\p{N}\p{M}_.\-·]*(?::[\p{L}_][\p{L}\p{N}\p{M}_.\-·]*)?`
const TAG = new RegExp(String.raw`<(/?)(${NAME})((?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>`, 'uy')
const ATTRIBUTE = new RegExp(String.raw`(${NAME})\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'gu')

/**
 * Parses a well-formed XML document and returns its root element. Undefined if the document isn't well-formed, has a
 * document type, nests more than 100 deep or has more than `maxElements` elements. Only the five predefined entities
 * are supported, so that no entity can expand.
 */
export function parseXml(source: string, maxElements = MAX_ELEMENTS): XmlElement | undefined {
  const stack: XmlElement[] = []
  let root: XmlElement | undefined
  let count = 0
  let at = 0
  while (at < source.length) {
    const next = source.indexOf('<', at)
    const text = decodeXml(source.slice(at, next < 0 ? source.length : next))
    const parent = stack.at(-1)
    if (text === undefined) return undefined
    if (parent) parent.text += text
    else if (text.replace(/\ufeff|\0/g, '').trim() !== '') return undefined
    if (next < 0) break
    const skipped = skipMarkup(source, next)
    if (skipped) {
      if (skipped.end < 0) return undefined
      if (parent) parent.text += skipped.text
      at = skipped.end
      continue
    }
    TAG.lastIndex = next
    const [whole, closes, name = '', attributes = '', isEmpty] = TAG.exec(source) ?? []
    if (whole === undefined || ++count > 2 * maxElements) return undefined
    at = next + whole.length
    if (closes) {
      const closed = stack.pop()
      if (!closed || attributes.trim() !== '' || isEmpty || expand(name, closed.prefixes) !== closed.name)
        return undefined
      closed.end = at
      continue
    }
    const element = open(name, attributes, parent?.prefixes ?? new Map())
    if (!element || (!parent && root) || stack.length >= MAX_DEPTH) return undefined
    element.start = next
    element.end = at
    if (parent) parent.children.push(element)
    else root = element
    if (!isEmpty) stack.push(element)
  }
  return stack.length ? undefined : root
}

/**
 * Reads markup at a `<` that doesn't open or close an element. Returns its end (−1 if the document is invalid) and its
 * text.
 */
function skipMarkup(source: string, at: number): { end: number; text: string } | undefined {
  const endOf = (mark: string, from: number): number => {
    const start = source.indexOf(mark, from)
    return start < 0 ? -1 : start + mark.length
  }
  if (source.startsWith('<?', at)) return { end: endOf('?>', at), text: '' }
  if (source.startsWith('<!--', at)) return { end: endOf('-->', at + 4), text: '' }
  if (source.startsWith('<![CDATA[', at)) {
    const end = endOf(']]>', at)
    return { end, text: source.slice(at + 9, end - 3) }
  }
  return source.startsWith('<!', at) ? { end: -1, text: '' } : undefined
}

function open(name: string, attributes: string, above: ReadonlyMap<string, string>): XmlElement | undefined {
  const allAttributes = [...attributes.matchAll(ATTRIBUTE)].map(([source, key = '', double, single]) => ({
    source,
    key,
    value: decodeXml(double ?? single ?? ''),
  }))
  const declarations = allAttributes.filter(({ key }) => key === 'xmlns' || key.startsWith('xmlns:'))
  const prefixes = declarations.length ? new Map(above) : above
  if (prefixes instanceof Map) for (const { key, value } of declarations) prefixes.set(key.slice(6), value ?? '')
  const element: XmlElement = {
    name: '',
    attributes: new Map(),
    sources: new Map(),
    prefixes,
    children: [],
    text: '',
    start: 0,
    end: 0,
  }
  for (const { source, key, value } of allAttributes) {
    if (key === 'xmlns' || key.startsWith('xmlns:')) continue
    // Unlike elements, attributes without a prefix are in no namespace.
    const full = key.includes(':') ? expand(key, prefixes) : `{}${key}`
    if (full === undefined || value === undefined || element.attributes.has(full)) return undefined
    element.attributes.set(full, value)
    element.sources.set(full, source)
  }
  const full = expand(name, prefixes)
  return full === undefined ? undefined : { ...element, name: full }
}

function expand(name: string, prefixes: ReadonlyMap<string, string>): string | undefined {
  const colon = name.indexOf(':')
  const prefix = colon < 0 ? '' : name.slice(0, colon)
  const namespace = prefix === 'xml' ? XML : (prefixes.get(prefix) ?? (prefix === '' ? '' : undefined))
  return namespace === undefined ? undefined : `{${namespace}}${name.slice(colon + 1)}`
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Resolves character and entity references. Undefined if there is an unknown one. */
export function decodeXml(text: string): string | undefined {
  if (!text.includes('&')) return text
  let isSound = true
  const decoded = text.replace(
    /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(\w{1,8}));|&/g,
    (_whole, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      if (name === undefined && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
      const entity = ENTITIES[name ?? '']
      isSound &&= entity !== undefined
      return entity ?? ''
    },
  )
  return isSound ? decoded : undefined
}

/** Escapes text for elements and attributes. Characters that XML doesn't allow become spaces. */
export function encodeXml(text: string): string {
  return text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"\r]/g, character => `&#${character.charCodeAt(0)};`)
    .replace(/&#38;/g, '&amp;')
    .replace(/&#60;/g, '&lt;')
    .replace(/&#62;/g, '&gt;')
}
