import type { Examination } from '../examination/examination'
import type { Location } from '../examination/report'
import type { Finding, Rule } from '../examination/rules'
import { inAllParts } from '../examination/rules'
import type { ExtensionSchemas } from './extension-schemas'
import { NAMESPACES } from './namespaces'
import { ValueTypes } from './value-types'
import type { XmpNode } from './xmp-node'

/** A part of an extension schema, with the value types that it can name. */
interface Part {
  node: XmpNode
  types: ValueTypes
}

const { pdfaField, pdfaProperty, pdfaSchema, pdfaType } = NAMESPACES

type Form = 'text' | 'uri' | 'seq'

/** Checks the value and the prefix of a field. Only arrays may be missing. */
function fieldRule(
  ids: [first: number, later: number],
  [prefix, namespace]: [string, string],
  name: string,
  form: Form,
  more: (value: XmpNode, types: ValueTypes) => Finding = () => undefined,
): Rule<Part> {
  const kind = form === 'seq' ? 'an ordered array' : form === 'uri' ? 'a URI' : 'a text'
  return {
    in: inAllParts(`6.7.8-${ids[0]}`, `6.6.2.3.3-${ids[1]}`),
    message: `${prefix}:${name} must be ${kind}${form === 'seq' ? ' if present' : ''} with this prefix.`,
    check({ node, types }) {
      const value = node.child(namespace, name)
      if (!value) return form === 'seq' ? undefined : `no ${prefix}:${name}`
      if (value.prefix !== prefix) return form === 'seq' && value.prefix === undefined ? undefined : value.label
      const hasForm = form === 'seq' ? value.isOrdered : value.isSimple
      return hasForm ? more(value, types) : `${value.label} as ${value.kind}`
    },
  }
}

/** Checks that a description has only the fields that ISO 19005-1, 6.7.8 lists. */
function knownFields(namespace: string, names: readonly string[]): Rule<Part> {
  return {
    in: inAllParts('6.7.8-1', '6.6.2.3.2-1'),
    message: 'Descriptions of extension schemas must have only the fields that PDF/A defines.',
    check({ node }) {
      return node.children.find(field => field.namespace !== namespace || !names.includes(field.name))?.label
    },
  }
}

function isKnownType({ value }: XmpNode, types: ValueTypes): Finding {
  return types.has(value) ? undefined : `value type "${value.slice(0, 60)}"`
}

function isCategory({ value }: XmpNode): Finding {
  return value === 'external' || value === 'internal' ? undefined : `category "${value.slice(0, 60)}"`
}

const SCHEMA: [string, string] = ['pdfaSchema', pdfaSchema]
const PROPERTY: [string, string] = ['pdfaProperty', pdfaProperty]
const TYPE: [string, string] = ['pdfaType', pdfaType]
const FIELD: [string, string] = ['pdfaField', pdfaField]

const CONTAINER_RULES: Rule<XmpNode>[] = [
  {
    in: inAllParts('6.7.8-2', '6.6.2.3.3-1'),
    message: 'Extension schemas must be in a bag pdfaExtension:schemas with this prefix.',
    check(node) {
      if (node.kind !== 'bag') return `${node.label} as ${node.kind}`
      return node.prefix === 'pdfaExtension' ? undefined : node.label
    },
  },
]

const SCHEMA_RULES: Rule<Part>[] = [
  knownFields(pdfaSchema, ['schema', 'namespaceURI', 'prefix', 'property', 'valueType']),
  fieldRule([3, 2], SCHEMA, 'schema', 'text'),
  fieldRule([4, 3], SCHEMA, 'namespaceURI', 'uri'),
  fieldRule([5, 4], SCHEMA, 'prefix', 'text'),
  fieldRule([6, 5], SCHEMA, 'property', 'seq'),
  fieldRule([7, 6], SCHEMA, 'valueType', 'seq'),
]

const PROPERTY_RULES: Rule<Part>[] = [
  knownFields(pdfaProperty, ['name', 'valueType', 'category', 'description']),
  fieldRule([8, 7], PROPERTY, 'name', 'text'),
  fieldRule([9, 8], PROPERTY, 'valueType', 'text', isKnownType),
  fieldRule([10, 9], PROPERTY, 'category', 'text', isCategory),
  fieldRule([11, 10], PROPERTY, 'description', 'text'),
]

const TYPE_RULES: Rule<Part>[] = [
  knownFields(pdfaType, ['type', 'namespaceURI', 'prefix', 'description', 'field']),
  fieldRule([12, 11], TYPE, 'type', 'text'),
  fieldRule([13, 12], TYPE, 'namespaceURI', 'uri'),
  fieldRule([14, 13], TYPE, 'prefix', 'text'),
  fieldRule([15, 14], TYPE, 'description', 'text'),
  fieldRule([16, 15], TYPE, 'field', 'seq'),
]

const FIELD_RULES: Rule<Part>[] = [
  knownFields(pdfaField, ['name', 'valueType', 'description']),
  fieldRule([17, 16], FIELD, 'name', 'text'),
  fieldRule([18, 17], FIELD, 'valueType', 'text', isKnownType),
  fieldRule([19, 18], FIELD, 'description', 'text'),
]

/** All rules for extension schemas. */
export const EXTENSION_RULES = { CONTAINER_RULES, SCHEMA_RULES, PROPERTY_RULES, TYPE_RULES, FIELD_RULES } as const

/**
 * Checks how a package describes its extension schemas (ISO 19005-1, 6.7.8; ISO 19005-2, 6.6.2.3). `schemas` are the
 * same schemas as read.
 */
export function examineExtensions(
  examination: Examination,
  container: XmpNode,
  schemas: ExtensionSchemas,
  location: Location,
): void {
  examination.apply(CONTAINER_RULES, container, location)
  for (const node of container.isArray ? container.children : []) {
    const types = schemas.get(node.child(pdfaSchema, 'namespaceURI')?.value ?? '')?.types ?? ValueTypes.basic
    examination.apply(SCHEMA_RULES, { node, types }, location)
    for (const property of itemsOf(node, pdfaSchema, 'property'))
      examination.apply(PROPERTY_RULES, { node: property, types }, location)
    for (const valueType of itemsOf(node, pdfaSchema, 'valueType')) {
      examination.apply(TYPE_RULES, { node: valueType, types }, location)
      for (const field of itemsOf(valueType, pdfaType, 'field'))
        examination.apply(FIELD_RULES, { node: field, types }, location)
    }
  }
}

function itemsOf(node: XmpNode, namespace: string, name: string): readonly XmpNode[] {
  const array = node.child(namespace, name)
  return array?.isArray ? array.children : []
}
