import { encodeXml, parseXml } from './xml'
import type { XmlElement } from './xml'

/** What the information dictionary and XMP both say, dates in ISO 8601. */
export type MetadataField =
  | 'title'
  | 'author'
  | 'subject'
  | 'keywords'
  | 'creator'
  | 'producer'
  | 'creationDate'
  | 'modDate'

/** Values by field, and further entries by name. */
export interface Metadata {
  fields: Map<MetadataField, string>
  custom: Map<string, string>
}

/** A packet as it was found. */
export interface XmpPacket {
  metadata: Metadata
  /** Whether it claims that the file is PDF/A, and of which part. */
  pdfaPart: string | undefined
  about: string
  properties: XmpProperty[]
}

interface XmpProperty {
  /** `{namespace}name`. */
  name: string
  value: string | undefined
  /** Every text inside it, to find values that were meant to go. */
  texts: string[]
  /** As it was written: an attribute or an element. */
  source: string
  isAttribute: boolean
  description: XmlElement
}

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const DC = 'http://purl.org/dc/elements/1.1/'
const XMP = 'http://ns.adobe.com/xap/1.0/'
const PDF = 'http://ns.adobe.com/pdf/1.3/'
const PDFX = 'http://ns.adobe.com/pdfx/1.3/'
/** The namespace of claims of PDF/A (ISO 19005-1, 6.7.11). */
export const PDFA = 'http://www.aiim.org/pdfa/ns/id/'
/** The namespace of claims of PDF/UA (ISO 14289-1, 5). */
export const PDFUA = 'http://www.aiim.org/pdfua/ns/id/'
const XML_LANG = '{http://www.w3.org/XML/1998/namespace}lang'

const SUBJECTS = `{${DC}}subject`

/** Where each field stands in XMP (ISO 19005-1, 6.7.3; ISO 32000-2, 14.3.3). */
const PROPERTIES: Record<MetadataField, string> = {
  title: `{${DC}}title`,
  author: `{${DC}}creator`,
  subject: `{${DC}}description`,
  keywords: `{${PDF}}Keywords`,
  creator: `{${XMP}}CreatorTool`,
  producer: `{${PDF}}Producer`,
  creationDate: `{${XMP}}CreateDate`,
  modDate: `{${XMP}}ModifyDate`,
}

/** All fields. */
export const FIELDS = Object.keys(PROPERTIES) as MetadataField[] // the keys of an object literal are what its type says

/** Where old software repeats the same values. */
const ALIASES = new Set([
  ...['Title', 'Author', 'Subject', 'Creator', 'CreationDate', 'ModDate'].map(name => `{${PDF}}${name}`),
  ...['Title', 'Author', 'Description', 'Keywords'].map(name => `{${XMP}}${name}`),
])

/** Reads a packet; undefined when it is no well-formed XMP, or has a document type. */
export function readXmp(source: string): XmpPacket | undefined {
  const root = parseXml(source)
  const rdf = root && [root, ...root.children].find(element => element.name === `{${RDF}}RDF`)
  if (!rdf) return undefined
  const packet: XmpPacket = {
    metadata: { fields: new Map(), custom: new Map() },
    pdfaPart: undefined,
    about: '',
    properties: [],
  }
  for (const description of rdf.children) {
    if (description.name !== `{${RDF}}Description`) continue
    if ((description.prefixes.get('rdf') ?? RDF) !== RDF) return undefined
    for (const [name, value] of description.attributes) {
      if (name === `{${RDF}}about` || name === '{}about') packet.about ||= value
      else
        packet.properties.push({
          name,
          value,
          texts: [value],
          source: description.sources.get(name) ?? '',
          isAttribute: true,
          description,
        })
    }
    for (const element of description.children) {
      const written = source.slice(element.start, element.end).replace(/<!--[\s\S]*?-->/g, '')
      packet.properties.push({
        name: element.name,
        value: valueOf(element),
        texts: textsOf(element),
        source: written,
        isAttribute: false,
        description,
      })
    }
  }
  readMetadata(packet)
  return packet
}

function readMetadata(packet: XmpPacket): void {
  const { fields, custom } = packet.metadata
  const first = new Map<string, string>()
  for (const { name, value } of packet.properties)
    if (value !== undefined && value !== '' && !first.has(name)) first.set(name, value)
  for (const field of FIELDS) {
    const value =
      first.get(PROPERTIES[field]) ?? (field === 'keywords' ? first.get(SUBJECTS)?.replaceAll('; ', ', ') : undefined)
    if (value !== undefined) fields.set(field, value)
  }
  for (const [name, value] of first)
    if (name.startsWith(`{${PDFX}}`)) custom.set(decodeName(name.slice(PDFX.length + 2)), value)
  packet.pdfaPart = first.get(`{${PDFA}}part`)
}

/** The value of a simple property, the default of alternatives, a list joined; undefined for a structure. */
function valueOf(element: XmlElement): string | undefined {
  const [list] = element.children
  if (!list) return element.attributes.size ? undefined : element.text
  const items = list.children.filter(item => item.name === `{${RDF}}li` && item.children.length === 0)
  if (element.children.length > 1 || items.length < list.children.length) return undefined
  if (list.name === `{${RDF}}Alt`)
    return (items.find(item => item.attributes.get(XML_LANG) === 'x-default') ?? items[0])?.text
  return list.name === `{${RDF}}Seq` || list.name === `{${RDF}}Bag`
    ? items.map(item => item.text).join('; ')
    : undefined
}

function textsOf(element: XmlElement): string[] {
  const texts: string[] = []
  const stack = [element]
  for (let next = stack.pop(); next; next = stack.pop()) {
    texts.push(next.text, ...next.attributes.values())
    stack.push(...next.children)
  }
  return texts
}

interface XmpChange {
  /** What the packet must say. */
  metadata: Metadata
  /** The packet of the file, whose other properties stay. */
  packet: XmpPacket | undefined
  /** Values that are gone: a property that repeats one goes too. */
  gone: ReadonlySet<string>
  /** Namespaces of the claims of conformance that go. */
  droppedClaims: ReadonlySet<string>
}

/**
 * A packet that says what `metadata` says; undefined when it would say nothing. What the given one says already stays
 * as it is written there, with translations of the title and the like; custom entries are left as they stand there
 * while a claim of PDF/A is kept, because that standard allows only those that the packet describes.
 */
export function writeXmp({ metadata, packet, gone, droppedClaims }: XmpChange): string | undefined {
  const leavesCustom = packet?.pdfaPart !== undefined && !droppedClaims.has(PDFA)
  const kept = new Set<XmpProperty>()
  const names = new Set<string>()
  const managed = new Map(FIELDS.map(field => [PROPERTIES[field], field]))
  const isSame = (field: MetadataField): boolean => metadata.fields.get(field) === packet?.metadata.fields.get(field)
  const stays = (property: XmpProperty): boolean => {
    const { name } = property
    const field = managed.get(name)
    if (field || name === SUBJECTS)
      return isSame(field ?? 'keywords') && property.value !== undefined && !names.has(name)
    if (ALIASES.has(name)) return false
    if (name.startsWith(`{${PDFX}}`) && property.value !== undefined && !leavesCustom) return false
    if ([...droppedClaims].some(namespace => name.startsWith(`{${namespace}}`))) return false
    return !property.texts.some(text => gone.has(text.trim()))
  }
  for (const property of packet?.properties ?? []) {
    if (!stays(property)) continue
    kept.add(property)
    names.add(property.name)
  }
  const own = [
    ...FIELDS.flatMap(field => {
      const value = metadata.fields.get(field)
      if (value === undefined) return []
      const written = names.has(PROPERTIES[field]) ? [] : [writeField(field, value)]
      if (field === 'keywords' && !names.has(SUBJECTS))
        written.push(writeList('dc:subject', 'Bag', splitKeywords(value)))
      return written
    }),
    ...(leavesCustom
      ? []
      : [...metadata.custom].map(([name, value]) => writeSimple(`pdfx:${encodeName(name)}`, value))),
  ]
  if (own.length === 0 && kept.size === 0) return undefined
  const about = `rdf:about="${encodeXml(packet?.about ?? '')}"`
  const lines = [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    `<rdf:RDF xmlns:rdf="${RDF}">`,
    ...(own.length
      ? [
          `<rdf:Description ${about} xmlns:dc="${DC}" xmlns:xmp="${XMP}" xmlns:pdf="${PDF}" xmlns:pdfx="${PDFX}">`,
          ...own,
          '</rdf:Description>',
        ]
      : []),
    ...writeKept(kept, about),
    '</rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="w"?>',
  ]
  return lines.join('\n')
}

function writeKept(kept: ReadonlySet<XmpProperty>, about: string): string[] {
  const descriptions = new Map<XmlElement, XmpProperty[]>()
  for (const property of kept)
    descriptions.set(property.description, [...(descriptions.get(property.description) ?? []), property])
  return [...descriptions].map(([description, properties]) => {
    const spaces = [...description.prefixes]
      .filter(([prefix]) => prefix !== 'rdf')
      .map(([prefix, uri]) => ` xmlns${prefix && `:${prefix}`}="${encodeXml(uri)}"`)
    const attributes = properties.filter(property => property.isAttribute).map(property => ` ${property.source}`)
    const elements = properties.filter(property => !property.isAttribute).map(property => property.source)
    return `<rdf:Description ${about}${spaces.join('')}${attributes.join('')}>\n${elements.join('\n')}\n</rdf:Description>`
  })
}

function writeField(field: MetadataField, value: string): string {
  switch (field) {
    case 'title':
      return `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${encodeXml(value)}</rdf:li></rdf:Alt></dc:title>`
    case 'subject':
      return (
        '<dc:description><rdf:Alt><rdf:li ' +
        `xml:lang="x-default">${encodeXml(value)}</rdf:li></rdf:Alt></dc:description>`
      )
    case 'author':
      return writeList('dc:creator', 'Seq', [value])
    case 'keywords':
      return writeSimple('pdf:Keywords', value)
    case 'producer':
      return writeSimple('pdf:Producer', value)
    case 'creator':
      return writeSimple('xmp:CreatorTool', value)
    case 'creationDate':
      return writeSimple('xmp:CreateDate', value)
    case 'modDate':
      return writeSimple('xmp:ModifyDate', value)
  }
}

function writeSimple(name: string, value: string): string {
  return `<${name}>${encodeXml(value)}</${name}>`
}

function writeList(name: string, kind: 'Bag' | 'Seq', values: string[]): string {
  return `<${name}><rdf:${kind}>${values.map(value => `<rdf:li>${encodeXml(value)}</rdf:li>`).join('')}</rdf:${kind}></${name}>`
}

function splitKeywords(value: string): string[] {
  return value
    .split(/[,;]/)
    .map(word => word.trim())
    .filter(word => word !== '')
}

/** Adobe's way to write any name as XML: what a name of XML can't hold becomes `ↂ` and four hexadecimal digits. */
function encodeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]|^[^\p{L}_]|ↂ/gu, characters =>
    Array.from(
      { length: characters.length },
      (_, index) => `ↂ${characters.charCodeAt(index).toString(16).padStart(4, '0').toUpperCase()}`,
    ).join(''),
  )
}

function decodeName(name: string): string {
  return name.replace(/ↂ([0-9A-Fa-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
