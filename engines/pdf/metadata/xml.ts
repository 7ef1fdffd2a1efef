import { SaxesParser } from 'saxes'
import type { SaxesTagNS } from 'saxes'

const XMLNS = 'http://www.w3.org/2000/xmlns/'

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

const MAX_ELEMENTS = 20_000
const MAX_DEPTH = 100
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g

/** Some programs leave NULs, byte order marks and spaces around a document. */
const PADDING = /[\s\ufeff\0]/

/**
 * Parses a well-formed XML document and returns its root element. Undefined if the document isn't well-formed, has a
 * document type, nests more than 100 deep or has more than `maxElements` elements. Only the five predefined entities
 * are supported, so that no entity can expand.
 */
export function parseXml(source: string, maxElements = MAX_ELEMENTS): XmlElement | undefined {
  const parser = new SaxesParser({ xmlns: true })
  let [offset, length] = [0, source.length]
  while (PADDING.test(source.charAt(offset))) offset++
  while (PADDING.test(source.charAt(length - 1))) length--
  const stack: XmlElement[] = []
  let root: XmlElement | undefined
  let count = 0
  const reject = (reason: Error | string): never => {
    throw new MalformedXml(reason instanceof Error ? reason.message : 'The document is not supported.')
  }
  parser.on('error', reject)
  parser.on('doctype', reject)
  parser.on('opentag', tag => {
    if (++count > maxElements || stack.length >= MAX_DEPTH) reject('too large')
    const end = offset + parser.position
    const start = source.lastIndexOf('<', end - 1)
    const parent = stack.at(-1)
    const element = toElement(tag, source.slice(start, end), parent?.prefixes)
    stack.push(Object.assign(element, { start, end }))
    if (parent) parent.children.push(element)
    else root = element
  })
  parser.on('closetag', () => {
    const closed = stack.pop()
    if (closed) closed.end = offset + parser.position
  })
  const addText = (text: string): void => {
    const parent = stack.at(-1)
    if (parent) parent.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  try {
    parser.write(source.slice(offset, length)).close()
  } catch (error) {
    if (error instanceof MalformedXml) return undefined
    throw error
  }
  return root
}

class MalformedXml extends Error {}

/**
 * Returns an element without content. `source` is its start tag as written, and `above` has the namespaces of its
 * parent.
 */
function toElement(tag: SaxesTagNS, source: string, above: ReadonlyMap<string, string> = new Map()): XmlElement {
  const written = new Map([...source.matchAll(ATTRIBUTE)].map(([whole, key = '']) => [key, whole]))
  const attributes = Object.values(tag.attributes).filter(({ uri }) => uri !== XMLNS)
  const nameOf = ({ uri, local }: { uri: string; local: string }): string => `{${uri}}${local}`
  return {
    name: nameOf(tag),
    attributes: new Map(attributes.map(one => [nameOf(one), one.value])),
    sources: new Map(attributes.map(one => [nameOf(one), written.get(one.name) ?? ''])),
    prefixes: Object.keys(tag.ns).length > 0 ? new Map([...above, ...Object.entries(tag.ns)]) : above,
    children: [],
    text: '',
    start: 0,
    end: 0,
  }
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
