import { NAMESPACES } from './namespaces'
import { ValueTypes } from './value-types'
import type { DescribedType, Edition } from './value-types'
import type { XmpNode } from './xmp-node'

const { pdfaField, pdfaProperty, pdfaSchema, pdfaType } = NAMESPACES

/** An extension schema: its value types, and the types of its properties by name. */
export interface ExtensionSchema {
  types: ValueTypes
  properties: ReadonlyMap<string, string>
}

/** Extension schemas by the namespace of their properties. */
export type ExtensionSchemas = ReadonlyMap<string, ExtensionSchema>

/**
 * Reads the extension schemas in a container (ISO 19005-1, 6.7.8). Properties of an unknown type don't count. `inherited`
 * are the schemas of the document, whose types a schema of the same namespace can use.
 */
export function readExtensionSchemas(
  container: XmpNode | undefined,
  edition: Edition,
  inherited: ExtensionSchemas,
): ExtensionSchemas {
  const schemas = new Map<string, ExtensionSchema>()
  for (const schema of container?.isArray ? container.children : []) {
    const namespace = schema.child(pdfaSchema, 'namespaceURI')?.value
    const property = schema.child(pdfaSchema, 'property')
    if (namespace === undefined || !property?.isArray) continue
    const known = inherited.get(namespace)?.types ?? ValueTypes.of(edition)
    const types = withTypesOf(schema.child(pdfaSchema, 'valueType'), known)
    schemas.set(namespace, { types, properties: readProperties(property, types) })
  }
  return schemas
}

function withTypesOf(valueTypes: XmpNode | undefined, known: ValueTypes): ValueTypes {
  const described = (valueTypes?.isArray ? valueTypes.children : []).flatMap((valueType): DescribedType[] => {
    const name = valueType.child(pdfaType, 'type')?.value
    const namespace = valueType.child(pdfaType, 'namespaceURI')?.value
    const field = valueType.child(pdfaType, 'field')
    if (name === undefined || namespace === undefined) return []
    return [{ name, namespace, fields: readNames(field?.isArray ? field.children : [], pdfaField) }]
  })
  return known.with(described)
}

function readProperties(property: XmpNode, types: ValueTypes): Map<string, string> {
  const properties = new Map<string, string>()
  for (const item of property.children)
    for (const [name, type] of readNames([item], pdfaProperty))
      if (types.has(type) && !properties.has(name)) properties.set(name, type)
  return properties
}

/** Value types by name, from descriptions of properties or fields. */
function readNames(items: readonly XmpNode[], namespace: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const item of items) {
    const name = item.child(namespace, 'name')?.value
    const type = item.child(namespace, 'valueType')?.value
    if (name !== undefined && type !== undefined) names.set(name, type)
  }
  return names
}
