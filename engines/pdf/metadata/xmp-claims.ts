import { encodeXml } from './xml'

/** The namespace of PDF/A claims (ISO 19005-1, 6.7.11). */
export const PDFA = 'http://www.aiim.org/pdfa/ns/id/'
/** The namespace of PDF/UA claims (ISO 14289-1, 5). */
export const PDFUA = 'http://www.aiim.org/pdfua/ns/id/'
/** The namespace of custom entries of the information dictionary. */
export const PDFX = 'http://ns.adobe.com/pdfx/1.3/'
/** The namespaces of descriptions of properties (ISO 19005-1, 6.7.8). */
const EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/'
const SCHEMA = 'http://www.aiim.org/pdfa/ns/schema#'
const PROPERTY = 'http://www.aiim.org/pdfa/ns/property#'

/** Claims of conformance that a packet makes. */
export interface NewClaims {
  pdfa?: { part: 1 | 2 | 3; level: 'B' | 'U' } | undefined
  /** Whether the packet claims PDF/UA-1. */
  pdfua: boolean
  /** Whether properties stay as they are written. Otherwise, only metadata fields and custom entries are written. */
  keepsOthers: boolean
  /** Properties of another namespace, with their description for PDF/A. */
  properties?: DescribedProperties | undefined
}

/** Properties of a namespace with their values. */
export interface DescribedProperties {
  schema: DescribedSchema
  /** Values by name, in the order in which they are written. */
  values: Readonly<Record<string, string>>
}

/** Properties of a namespace, for a description in the packet. */
interface DescribedSchema {
  title: string
  namespace: string
  prefix: string
  properties: { name: string; type: 'Integer' | 'Text'; category: 'external' | 'internal'; description: string }[]
}

/** The description of the property that claims PDF/UA. PDF/A doesn't know it. */
const PDFUA_SCHEMA: DescribedSchema = {
  title: 'PDF/UA identification',
  namespace: PDFUA,
  prefix: 'pdfuaid',
  properties: [{ name: 'part', type: 'Integer', category: 'internal', description: 'Part of ISO 14289' }],
}

/** Returns whether a property, as `{namespace}name`, claims conformance or describes other properties. */
export function isClaim(name: string): boolean {
  return [PDFA, PDFUA, EXTENSION].some(namespace => name.startsWith(`{${namespace}}`))
}

/**
 * Writes claims as descriptions of RDF. A claim of PDF/A comes with a description of the properties that PDF/A doesn't
 * define: the claim of PDF/UA, and the custom entries with these XML names (ISO 19005-2, 6.6.2.3 and 6.6.4).
 */
export function writeClaims(
  { pdfa, pdfua, properties }: NewClaims,
  customNames: readonly string[],
  about: string,
): string[] {
  const schemas = [
    ...(pdfua ? [PDFUA_SCHEMA] : []),
    ...(customNames.length > 0 ? [describeCustom(customNames)] : []),
    ...(properties ? [properties.schema] : []),
  ]
  return [
    ...(pdfa
      ? [
          `<rdf:Description ${about} xmlns:pdfaid="${PDFA}"><pdfaid:part>${pdfa.part}</pdfaid:part>` +
            `<pdfaid:conformance>${pdfa.level}</pdfaid:conformance></rdf:Description>`,
        ]
      : []),
    ...(pdfua
      ? [`<rdf:Description ${about} xmlns:pdfuaid="${PDFUA}"><pdfuaid:part>1</pdfuaid:part></rdf:Description>`]
      : []),
    ...(properties ? [writeProperties(properties, about)] : []),
    ...(pdfa && schemas.length > 0 ? writeSchemas(schemas, about) : []),
  ]
}

function writeProperties({ schema: { namespace, prefix }, values }: DescribedProperties, about: string): string {
  const elements = Object.entries(values).map(
    ([name, value]) => `<${prefix}:${name}>${encodeXml(value)}</${prefix}:${name}>`,
  )
  return `<rdf:Description ${about} xmlns:${prefix}="${namespace}">${elements.join('')}</rdf:Description>`
}

function describeCustom(names: readonly string[]): DescribedSchema {
  return {
    title: 'Custom document properties',
    namespace: PDFX,
    prefix: 'pdfx',
    properties: names.map(name => ({ name, type: 'Text', category: 'external', description: name })),
  }
}

function writeSchemas(schemas: readonly DescribedSchema[], about: string): string[] {
  return [
    `<rdf:Description ${about} xmlns:pdfaExtension="${EXTENSION}" xmlns:pdfaSchema="${SCHEMA}" ` +
      `xmlns:pdfaProperty="${PROPERTY}">`,
    '<pdfaExtension:schemas><rdf:Bag>',
    ...schemas.flatMap(writeSchema),
    '</rdf:Bag></pdfaExtension:schemas>',
    '</rdf:Description>',
  ]
}

function writeSchema({ title, namespace, prefix, properties }: DescribedSchema): string[] {
  return [
    '<rdf:li rdf:parseType="Resource">',
    `<pdfaSchema:schema>${title}</pdfaSchema:schema>`,
    `<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>`,
    `<pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>`,
    '<pdfaSchema:property><rdf:Seq>',
    ...properties.map(
      ({ name, type, category, description }) =>
        `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${encodeXml(name)}</pdfaProperty:name>` +
        `<pdfaProperty:valueType>${type}</pdfaProperty:valueType>` +
        `<pdfaProperty:category>${category}</pdfaProperty:category>` +
        `<pdfaProperty:description>${encodeXml(description)}</pdfaProperty:description></rdf:li>`,
    ),
    '</rdf:Seq></pdfaSchema:property>',
    '</rdf:li>',
  ]
}
