import type { XmlElement } from '../../../pdf/metadata'
import { NAMESPACES } from './namespaces'
import { RdfError, XmpNode } from './xmp-node'
import type { XmpKind } from './xmp-node'
import { withoutComments } from './xmp-text'

const { dc, oldDc, rdf, xml } = NAMESPACES

const LANG = `{${xml}}lang`
/** Names of RDF that can't be properties (RDF/XML Syntax Specification, 7.2.2 and 7.2.4). */
const RESERVED = new Set(
  [
    ...['RDF', 'ID', 'about', 'parseType', 'resource', 'nodeID', 'datatype'],
    ...['Description', 'aboutEach', 'aboutEachPrefix', 'bagID'],
  ].map(name => `{${rdf}}${name}`),
)
const ARRAYS: ReadonlyMap<string, XmpKind> = new Map([
  [`{${rdf}}Bag`, 'bag'],
  [`{${rdf}}Seq`, 'seq'],
  [`{${rdf}}Alt`, 'alt'],
])

/**
 * Reads the properties of an `rdf:RDF` element as XMP's data model, with the restrictions of the XMP specification
 * (September 2005, "Serializing XMP"). Throws `RdfError` if the RDF breaks them. `source` is the text that the element
 * was parsed from.
 */
export function readRdf(element: XmlElement, source: string): readonly XmpNode[] {
  return new RdfReader(source).read(element)
}

class RdfReader {
  /** Its fields are the properties. */
  private readonly root = new XmpNode('', '', undefined)
  private about = ''

  constructor(private readonly source: string) {
    this.root.kind = 'struct'
  }

  read(element: XmlElement): readonly XmpNode[] {
    if (!/^<[^\s/>]+\s+[^\s/>]/.test(this.source.slice(element.start, element.start + 1000)))
      throw new RdfError('rdf:RDF without attributes')
    const content = withoutComments(this.source.slice(element.start, element.end))
    if (content.includes('<![CDATA[')) throw new RdfError('a CDATA section')
    if (content.includes('<?')) throw new RdfError('a processing instruction in rdf:RDF')
    if (hasText(element)) throw new RdfError('text in rdf:RDF')
    for (const child of element.children) {
      if (child.name !== `{${rdf}}Description`) throw new RdfError(`${this.written(child)} in rdf:RDF`)
      this.readNode(child, this.root)
    }
    return this.root.children
  }

  /** Reads a node element: the properties in its attributes and child elements. */
  private readNode(element: XmlElement, owner: XmpNode): void {
    if (RESERVED.has(element.name) && element.name !== `{${rdf}}Description`) throw misplaced(this.written(element))
    if (hasText(element)) throw new RdfError(`text in ${this.written(element)}`)
    let identifiers = 0
    for (const [key, value] of element.attributes) {
      const name = rdfName(element, key)
      if (name === `{${rdf}}ID` || name === `{${rdf}}nodeID` || name === `{${rdf}}about`) {
        if (identifiers++ > 0) throw new RdfError('more than one of rdf:about, rdf:ID and rdf:nodeID')
        if (owner === this.root && name === `{${rdf}}about`) this.recordAbout(value)
      } else if (RESERVED.has(name) || name === `{${rdf}}li`) throw misplaced(writtenName(element, key))
      else this.addAttribute(owner, element, key)
    }
    for (const child of element.children) this.readProperty(child, owner)
  }

  private recordAbout(about: string): void {
    if (this.about !== '' && about !== '' && about !== this.about) throw new RdfError('different values of rdf:about')
    this.about ||= about
  }

  private readProperty(element: XmlElement, owner: XmpNode): void {
    if (RESERVED.has(element.name)) throw misplaced(this.written(element))
    const keys = [...element.attributes.keys()].filter(key => key !== LANG)
    const [key = ''] = keys
    if (keys.length === 1 && key === `{${rdf}}parseType`) this.readParsed(element, owner)
    else if (keys.length === 1 && key === `{${rdf}}datatype`) this.readLiteral(element, owner)
    else if (keys.length > 0) this.readEmpty(element, owner)
    else if (element.children.length > 0) this.readResource(element, owner)
    else if (element.text !== '') this.readLiteral(element, owner)
    else this.readEmpty(element, owner)
  }

  /** A property with `rdf:parseType`. Only `Resource` is allowed: the child elements are fields. */
  private readParsed(element: XmlElement, owner: XmpNode): void {
    const type = element.attributes.get(`{${rdf}}parseType`) ?? ''
    if (type !== 'Resource') throw new RdfError(`rdf:parseType="${type}"`)
    if (hasText(element)) throw new RdfError(`text in ${this.written(element)}`)
    const node = this.add(owner, element)
    node.kind = 'struct'
    for (const child of element.children) this.readProperty(child, node)
    settle(node)
  }

  private readLiteral(element: XmlElement, owner: XmpNode): void {
    if (element.children.length > 0) throw new RdfError(`elements in ${this.written(element)}`)
    this.add(owner, element).value = element.text
  }

  /** A property whose value is a structure or an array, written as one child element. */
  private readResource(element: XmlElement, owner: XmpNode): void {
    const [content, ...others] = element.children
    if (!content || others.length > 0 || hasText(element))
      throw new RdfError(`more than one value in ${this.written(element)}`)
    // XMP toolkits skip this record of changes, which old Adobe software wrote.
    if (owner === this.root && this.written(element) === 'iX:changes') return
    const node = this.add(owner, element)
    node.kind = ARRAYS.get(content.name) ?? 'struct'
    this.readNode(content, node)
    settle(node)
  }

  /** A property whose value is in its attributes. Without such attributes, the value is an empty text. */
  private readEmpty(element: XmlElement, owner: XmpNode): void {
    const { attributes } = element
    if (element.children.length > 0 || element.text !== '')
      throw new RdfError(`both attributes and content in ${this.written(element)}`)
    const value = attributes.get(`{${rdf}}value`) ?? attributes.get(`{${rdf}}resource`)
    const [hasResource, hasNodeId] = [attributes.has(`{${rdf}}resource`), attributes.has(`{${rdf}}nodeID`)]
    if (hasResource && (hasNodeId || attributes.has(`{${rdf}}value`)))
      throw new RdfError('rdf:resource with rdf:nodeID or rdf:value')
    const node = this.add(owner, element)
    node.value = value ?? ''
    for (const key of attributes.keys()) {
      const name = rdfName(element, key)
      if (name === LANG || ['value', 'resource', 'nodeID', 'ID'].some(known => name === `{${rdf}}${known}`)) continue
      if (RESERVED.has(name) || name === `{${rdf}}li`) throw misplaced(writtenName(element, key))
      // Beside a value, other attributes are qualifiers.
      if (value !== undefined) continue
      node.kind = 'struct'
      this.addAttribute(node, element, key)
    }
  }

  private addAttribute(owner: XmpNode, element: XmlElement, key: string): void {
    const prefix = /^([^\s:=]+):/.exec(element.sources.get(key) ?? '')?.[1]
    this.addNode(owner, key, prefix).value = element.attributes.get(key) ?? ''
  }

  private add(owner: XmpNode, element: XmlElement): XmpNode {
    const node = this.addNode(owner, element.name, this.prefixOf(element))
    node.language = element.attributes.get(LANG)?.toLowerCase()
    return node
  }

  private addNode(owner: XmpNode, key: string, prefix: string | undefined): XmpNode {
    const end = key.lastIndexOf('}')
    const namespace = key.slice(1, end)
    const node = new XmpNode(namespace === oldDc ? dc : namespace, key.slice(end + 1), prefix)
    if (namespace === '') throw new RdfError(`${node.name} without namespace`)
    const isItem = key === `{${rdf}}li`
    if (isItem && !owner.isArray) throw misplaced('rdf:li')
    if (key === `{${rdf}}value`) {
      if (owner === this.root || owner.kind !== 'struct') throw misplaced('rdf:value')
      owner.hasValueField = true
    }
    owner.add(node, isItem)
    return node
  }

  private prefixOf(element: XmlElement): string | undefined {
    const { start } = element
    return /^<([^\s:/>]+):/.exec(this.source.slice(start, start + 100))?.[1]
  }

  /** The element's name as written, for users. */
  private written(element: XmlElement): string {
    const prefix = this.prefixOf(element)
    return `${prefix === undefined ? '' : `${prefix}:`}${element.name.slice(element.name.lastIndexOf('}') + 1)}`
  }
}

/** The name of an attribute. In elements of RDF, `about` and `ID` may have no prefix, as old software writes them. */
function rdfName({ name }: XmlElement, key: string): string {
  return name.startsWith(`{${rdf}}`) && (key === '{}about' || key === '{}ID') ? `{${rdf}}${key.slice(2)}` : key
}

/** A structure with `rdf:value` is a value with qualifiers. */
function settle(node: XmpNode): void {
  const value = node.hasValueField ? node.child(rdf, 'value') : undefined
  if (value) node.become(value)
}

function hasText({ text }: XmlElement): boolean {
  return /[^\t\n\v\f\r ]/.test(text)
}

function writtenName(element: XmlElement, key: string): string {
  return /^[^\s=]*/.exec(element.sources.get(key) ?? '')?.[0] ?? key
}

function misplaced(name: string): RdfError {
  return new RdfError(`${name} in the wrong place`)
}
