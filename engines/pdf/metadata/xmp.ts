import { isClaim, PDFA, PDFX, writeClaims } from './xmp-claims'
import type { NewClaims } from './xmp-claims'
import { encodeXml, parseXml } from './xml'
import type { XmlElement } from './xml'
import { addTo } from '../../map-entries'

/** Fields that both the information dictionary and XMP have. Dates are ISO 8601. */
export type MetadataField =
  | 'title'
  | 'author'
  | 'subject'
  | 'keywords'
  | 'creator'
  | 'producer'
  | 'creationDate'
  | 'modDate'

/** Values by field, and custom entries by name. */
export interface Metadata {
  fields: Map<MetadataField, string>
  custom: Map<string, string>
}

/** A parsed XMP packet. */
export interface XmpPacket {
  metadata: Metadata
  /** The part of PDF/A that the packet claims. Undefined if it makes no such claim. */
  pdfaPart: string | undefined
  about: string
  properties: XmpProperty[]
}

interface XmpProperty {
  /** `{namespace}name`. */
  name: string
  value: string | undefined
  /** All texts inside the property, to find removed values. */
  texts: string[]
  /** The attribute or element as written in the source. */
  source: string
  isAttribute: boolean
  description: XmlElement
}

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const DC = 'http://purl.org/dc/elements/1.1/'
const XMP = 'http://ns.adobe.com/xap/1.0/'
const PDF = 'http://ns.adobe.com/pdf/1.3/'
const XML_LANG = '{http://www.w3.org/XML/1998/namespace}lang'

const SUBJECTS = `{${DC}}subject`

/** The XMP property of each field (ISO 19005-1, 6.7.3; ISO 32000-2, 14.3.3). */
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

/** All metadata fields. */
export const FIELDS = Object.keys(PROPERTIES) as MetadataField[] // the object literal has exactly these keys

/** Properties in which old software repeats the same values. */
const ALIASES = new Set([
  ...['Title', 'Author', 'Subject', 'Creator', 'CreationDate', 'ModDate'].map(name => `{${PDF}}${name}`),
  ...['Title', 'Author', 'Description', 'Keywords'].map(name => `{${XMP}}${name}`),
])

/** Parses a packet. Undefined if it isn't well-formed XMP, or if it has a document type. */
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

/**
 * The value of a simple property, the default of alternatives, or the joined items of a list. Undefined for structures.
 */
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
  /** The metadata that the packet must have. */
  metadata: Metadata
  /** The packet of the file. Its other properties stay. */
  packet: XmpPacket | undefined
  /** Values that were removed. Properties that repeat one of them are removed too. */
  removedValues: ReadonlySet<string>
  /** Namespaces of the conformance claims to remove. */
  droppedClaims: ReadonlySet<string>
  /** Claims of conformance. They replace all others. */
  claims?: NewClaims | undefined
}

/**
 * Writes a packet with the given metadata. Undefined if the packet would be empty. Values that the current packet
 * already has stay as they are written there, including translations of the title and description. While the packet
 * claims PDF/A, its custom entries don't change, because PDF/A allows only those that the packet describes.
 */
export function writeXmp(change: XmpChange): string | undefined {
  const { metadata, packet, removedValues, droppedClaims, claims } = change
  const keepsCustom = packet?.pdfaPart !== undefined && !droppedClaims.has(PDFA) && !claims
  const keptProperties = new Set<XmpProperty>()
  const names = new Set<string>()
  const managed = new Map(FIELDS.map(field => [PROPERTIES[field], field]))
  const isSame = (field: MetadataField): boolean => metadata.fields.get(field) === packet?.metadata.fields.get(field)
  const stays = (property: XmpProperty): boolean => {
    const { name } = property
    if (claims && (!claims.keepsOthers || isClaim(name))) return false
    const field = managed.get(name)
    if (field || name === SUBJECTS)
      return isSame(field ?? 'keywords') && property.value !== undefined && !names.has(name)
    if (ALIASES.has(name)) return false
    if (name.startsWith(`{${PDFX}}`) && property.value !== undefined && !keepsCustom) return false
    if ([...droppedClaims].some(namespace => name.startsWith(`{${namespace}}`))) return false
    return !property.texts.some(text => removedValues.has(text.trim()))
  }
  for (const property of packet?.properties ?? []) {
    if (!stays(property)) continue
    keptProperties.add(property)
    names.add(property.name)
  }
  const newProperties = [
    ...FIELDS.flatMap(field => {
      const value = metadata.fields.get(field)
      if (value === undefined) return []
      const written = names.has(PROPERTIES[field]) ? [] : [writeField(field, value)]
      if (field === 'keywords' && !names.has(SUBJECTS))
        written.push(writeList('dc:subject', 'Bag', splitKeywords(value)))
      return written
    }),
    ...(keepsCustom ? [] : [...metadata.custom].map(([name, value]) => writeSimple(`pdfx:${encodeName(name)}`, value))),
  ]
  if (newProperties.length === 0 && keptProperties.size === 0 && !claims) return undefined
  const about = `rdf:about="${encodeXml(packet?.about ?? '')}"`
  const lines = [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    `<rdf:RDF xmlns:rdf="${RDF}">`,
    ...(newProperties.length
      ? [
          `<rdf:Description ${about} xmlns:dc="${DC}" xmlns:xmp="${XMP}" xmlns:pdf="${PDF}" xmlns:pdfx="${PDFX}">`,
          ...newProperties,
          '</rdf:Description>',
        ]
      : []),
    ...writeKeptProperties(keptProperties, about),
    ...(claims ? writeClaims(claims, [...metadata.custom.keys()].map(encodeName), about) : []),
    '</rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="w"?>',
  ]
  return lines.join('\n')
}

function writeKeptProperties(properties: ReadonlySet<XmpProperty>, about: string): string[] {
  const descriptions = new Map<XmlElement, XmpProperty[]>()
  for (const property of properties) addTo(descriptions, property.description, property)
  return [...descriptions].map(([description, group]) => {
    const spaces = [...description.prefixes]
      .filter(([prefix]) => prefix !== 'rdf')
      .map(([prefix, uri]) => ` xmlns${prefix && `:${prefix}`}="${encodeXml(uri)}"`)
    const attributes = group.filter(property => property.isAttribute).map(property => ` ${property.source}`)
    const elements = group.filter(property => !property.isAttribute).map(property => property.source)
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

/** Encodes a name as an XML name, as Adobe does. Other characters become `ↂ` and four hexadecimal digits. */
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
