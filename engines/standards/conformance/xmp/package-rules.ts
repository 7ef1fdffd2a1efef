import type { Rule } from '../examination/rules'
import { inAllParts, inParts23 } from '../examination/rules'
import type { ExtensionSchemas } from './extension-schemas'
import { PROPERTIES_OF_2004, PROPERTIES_OF_2005 } from './predefined-schemas'
import type { Edition } from './value-types'
import { ValueTypes } from './value-types'
import type { XmpNode } from './xmp-node'
import type { XmpPackage } from './xmp-package'

/** Rules for every metadata stream, even if it isn't valid XMP. */
export const PACKAGE_RULES: Rule<XmpPackage>[] = [
  {
    in: inAllParts('6.7.5-1', '6.6.2.1-2'),
    message: 'The header of an XMP packet must not have the attribute bytes.',
    check: ({ header }) => attributeOf(header, /bytes\s*=\s*(?:'[^']*'|"[^"]*")/),
  },
  {
    in: inAllParts('6.7.5-2', '6.6.2.1-3'),
    message: 'The header of an XMP packet must not have the attribute encoding.',
    check: ({ header }) => attributeOf(header, /encoding\s*=\s*(?:'[^']*'|"[^"]*")/),
  },
  {
    in: inAllParts('6.7.9-1', '6.6.2.1-4'),
    message: 'Metadata must be well-formed XML that follows the XMP specification.',
    check: ({ problem }) => problem,
  },
  {
    in: inParts23('6.6.2.1-5'),
    message: 'XMP metadata must be encoded as UTF-8.',
    check: ({ encoding, problem }) =>
      encoding === 'UTF-8' ? undefined : (encoding ?? problem ?? 'metadata without rdf:RDF'),
  },
]

function attributeOf(header: string | undefined, pattern: RegExp): string | undefined {
  return pattern.exec(header ?? '')?.[0].slice(0, 60)
}

/** A property with the type that its schema defines. Without a type, no schema defines the property. */
export interface TypedProperty {
  property: XmpNode
  type: string | undefined
  types: ValueTypes
}

/**
 * Finds the type of a property: in the extension schemas of its package, in those of the document, or in the XMP
 * specification.
 */
export function typeOf(property: XmpNode, edition: Edition, extensions: readonly ExtensionSchemas[]): TypedProperty {
  const { namespace, name } = property
  for (const schemas of extensions) {
    const schema = schemas.get(namespace)
    const type = schema?.properties.get(name)
    if (schema && type !== undefined) return { property, type, types: schema.types }
  }
  const predefined = edition === 2004 ? PROPERTIES_OF_2004 : PROPERTIES_OF_2005
  return { property, type: predefined.get(namespace)?.get(name), types: ValueTypes.of(edition) }
}

/** Rules for every property of a package. */
export const PROPERTY_RULES: Rule<TypedProperty>[] = [
  {
    in: inAllParts('6.7.9-2', '6.6.2.3.1-1'),
    message: 'Each XMP property must be predefined or described by an extension schema.',
    check: ({ property, type }) => (type === undefined ? `${property.label} (${property.namespace})` : undefined),
  },
  {
    in: inAllParts('6.7.9-3', '6.6.2.3.1-2'),
    message: 'Each XMP property must have a value of the type that its schema defines.',
    check({ property, type, types }) {
      if (type === undefined) return `${property.label} has no defined type`
      return types.matches(property, type) ? undefined : `${property.label} ${shown(property)} isn't of type ${type}`
    },
  },
]

function shown({ isSimple, kind, value }: XmpNode): string {
  return isSimple ? JSON.stringify(value.slice(0, 60)) : `(${kind})`
}
