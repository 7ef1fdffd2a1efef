import { encodeXml, parseXml } from '../../../pdf/metadata'
import type { XmlElement } from '../../../pdf/metadata'
import { KNOWN_PREFIXES } from './xml-tags'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const XML = 'http://www.w3.org/XML/1998/namespace'

/** The namespace of images in XMP (XMP specification, part 2, 1.2.2.2). */
const IMAGES = 'http://ns.adobe.com/xap/1.0/g/img/'

/** Properties with images of pages or of the document (XMP specification, part 2, 2.1 and 3.1), in any namespace. */
const PICTURES = new Set(['thumbnails', 'thumbnail', 'pageinfo', 'preview', 'previews'])

/** Text of this length without a space is binary data, if it only has the characters that encode such data. */
const LEAST_BINARY = 256
const BINARY = /^[\w+/=%.~-]+$/

/** The least average length of the lines of encoded data. No language has words of that length. */
const LEAST_WORD = 40

/** Maximum number of elements of a packet. Histories of images may list tens of thousands of ancestors. */
const MOST_ELEMENTS = 100_000

/**
 * Writes an XMP packet anew from its properties: without comments, processing instructions, padding, unused namespaces,
 * images of pages, and texts that are encoded data. Undefined if the packet can't be parsed, so that no reader
 * understands it.
 */
export function rewritePacket(source: string): string | undefined {
  const root = parseXml(source, MOST_ELEMENTS) ?? parseXml(firstPacket(source), MOST_ELEMENTS)
  const rdf = root && [root, ...root.children].find(({ name }) => name === `{${RDF}}RDF`)
  if (!rdf) return undefined
  const writer = new PacketWriter()
  const descriptions = rdf.children
    .filter(({ name }) => name === `{${RDF}}Description`)
    .map(description => writer.writeDescription(description))
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    `<rdf:RDF xmlns:rdf="${RDF}"${writer.namespaces()}>`,
    ...descriptions,
    '</rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="w"?>',
  ].join('\n')
}

/** Readers take the first packet of a stream, and ignore what follows it. */
function firstPacket(source: string): string {
  const end = source.indexOf('?>', source.indexOf('<?xpacket end'))
  return end < 0 ? '' : source.slice(0, end + 2)
}

class PacketWriter {
  private readonly prefixes = new Map([
    [RDF, 'rdf'],
    [XML, 'xml'],
  ])

  writeDescription(description: XmlElement): string {
    const properties = description.children.filter(property => !hasPicture(property)).map(one => this.write(one))
    return `<rdf:Description${this.writeAttributes(description)}>\n${properties.join('\n')}\n</rdf:Description>`
  }

  namespaces(): string {
    return [...this.prefixes]
      .filter(([, prefix]) => prefix !== 'rdf' && prefix !== 'xml')
      .map(([uri, prefix]) => ` xmlns:${prefix}="${encodeXml(uri)}"`)
      .join('')
  }

  private write(element: XmlElement): string {
    const name = this.nameOf(element.name, element.prefixes)
    const children = element.children.map(child => this.write(child))
    // The white space between elements has no meaning.
    const text = children.length > 0 && element.text.trim() === '' ? '' : encodeXml(element.text)
    return `<${name}${this.writeAttributes(element)}>${text}${children.join('')}</${name}>`
  }

  private writeAttributes({ attributes, prefixes }: XmlElement): string {
    return [...attributes]
      .filter(([name, value]) => !isPictureName(name) && !isBinary(value))
      .map(([name, value]) => ` ${this.nameOf(name, prefixes)}="${encodeXml(value)}"`)
      .join('')
  }

  /** The name with a prefix for its namespace: the one of the packet if it is a known one, or a numbered one. */
  private nameOf(name: string, given: ReadonlyMap<string, string>): string {
    const { uri, local } = splitName(name)
    if (uri === '') return local
    const known = this.prefixes.get(uri)
    if (known !== undefined) return `${known}:${local}`
    const used = new Set(this.prefixes.values())
    const stated = [...given].find(([one, target]) => target === uri && KNOWN_PREFIXES.has(one) && !used.has(one))?.[0]
    const prefix = stated ?? `ns${this.prefixes.size}`
    this.prefixes.set(uri, prefix)
    return `${prefix}:${local}`
  }
}

function splitName(name: string): { uri: string; local: string } {
  const end = name.lastIndexOf('}')
  return { uri: name.slice(1, end), local: name.slice(end + 1) }
}

function isPictureName(name: string): boolean {
  const { uri, local } = splitName(name)
  return uri === IMAGES || PICTURES.has(local.toLowerCase())
}

/** Returns whether a property or anything inside it is an image, or has a text that is encoded data. */
function hasPicture(property: XmlElement): boolean {
  const stack = [property]
  for (let element = stack.pop(); element; element = stack.pop()) {
    if (isPictureName(element.name)) return true
    for (const [name, value] of element.attributes) if (isPictureName(name) || isBinary(value)) return true
    if (isBinary(element.text)) return true
    stack.push(...element.children)
  }
  return false
}

/** Encoded data is one long word, or lines of the same length. */
function isBinary(text: string): boolean {
  if (text.length < LEAST_BINARY) return false
  const words = text.trim().split(/\s+/)
  const joined = words.join('')
  return joined.length >= LEAST_BINARY && BINARY.test(joined) && joined.length / words.length >= LEAST_WORD
}
