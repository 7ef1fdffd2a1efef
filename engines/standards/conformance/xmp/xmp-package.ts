import type { PDFRawStream } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { decodeContent } from '../../../pdf/document'
import { parseXml } from '../../../pdf/metadata'
import type { XmlElement } from '../../../pdf/metadata'
import { NAMESPACES } from './namespaces'
import { readRdf } from './read-rdf'
import { RdfError } from './xmp-node'
import type { XmpNode } from './xmp-node'
import { decodeXmp, withoutComments } from './xmp-text'

/** A metadata stream, read as XMP. */
export interface XmpPackage {
  /** Why the stream isn't valid XMP, in a few words. Such a package has no properties. */
  problem?: string
  /** The name of the stream's encoding. Undefined if the package has no RDF. */
  encoding?: string
  /** The attributes of the packet header, as written. */
  header?: string
  properties: readonly XmpNode[]
  /** The container of extension schemas (ISO 19005-1, 6.7.8). It isn't one of the properties. */
  extensions?: XmpNode
}

const { pdfaExtension, rdf, x } = NAMESPACES

const DECLARATION = /<\?xml[\s?]/i
const MOST_ELEMENTS = 500_000

/** Reads a metadata stream. Undefined if it has too many elements. Throws EngineError `too_large`. */
export function readPackage(document: PdfDocument, stream: PDFRawStream): XmpPackage | undefined {
  const bytes = decodeContent(document, stream)
  return bytes ? parsePackage(bytes) : { problem: 'a stream that cannot be decoded', properties: [] }
}

/** Reads the bytes of a metadata stream. Undefined if there are too many elements. */
function parsePackage(bytes: Uint8Array): XmpPackage | undefined {
  const { text, encoding } = decodeXmp(bytes)
  const root = parseXml(text, MOST_ELEMENTS)
  if (!root && text.split('<', MOST_ELEMENTS).length === MOST_ELEMENTS) return undefined
  if (!root || hasMisplacedDeclaration(text)) return { problem: 'XML that is not well-formed', properties: [] }
  const element = findRdf([root])
  if (!element) return { properties: [] }
  try {
    const nodes = readRdf(element, text)
    const extensions = nodes.find(isContainer)
    const properties = nodes.filter(node => !isContainer(node))
    return { properties, encoding, header: findHeader(text.slice(0, element.start)), ...(extensions && { extensions }) }
  } catch (error) {
    if (!(error instanceof RdfError)) throw error
    return { problem: error.message, properties: [] }
  }
}

/** The property with this name. */
export function propertyOf({ properties }: XmpPackage, namespace: string, name: string): XmpNode | undefined {
  return properties.find(property => property.namespace === namespace && property.name === name)
}

/** The text of a property. Undefined if there is no such property, or if it isn't simple. */
export function textOf(source: XmpPackage, namespace: string, name: string): string | undefined {
  const property = propertyOf(source, namespace, name)
  return property?.isSimple ? property.value : undefined
}

function isContainer({ namespace, name }: XmpNode): boolean {
  return namespace === pdfaExtension && name === 'schemas'
}

/** Finds `rdf:RDF`: in the first `x:xmpmeta`, or anywhere if it comes before that. */
function findRdf(elements: readonly XmlElement[]): XmlElement | undefined {
  for (const element of elements) {
    if (element.name === `{${x}}xmpmeta` || element.name === `{${x}}xapmeta`) return findRdf(element.children)
    const found = element.name === `{${rdf}}RDF` ? element : findRdf(element.children)
    if (found) return found
  }
  return undefined
}

/** The packet header closest to the RDF. */
function findHeader(before: string): string | undefined {
  const text = withoutComments(before)
  const start = text.lastIndexOf('<?xpacket')
  return start < 0 ? undefined : text.slice(start + '<?xpacket'.length, text.indexOf('?>', start))
}

/** Whether an XML declaration isn't at the start (XML 1.0, 2.6 and 2.8). */
function hasMisplacedDeclaration(text: string): boolean {
  return DECLARATION.test(text.slice(1)) && DECLARATION.test(withoutComments(text.slice(1)))
}
