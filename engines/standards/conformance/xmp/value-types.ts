import { listNames, STRUCTURES_OF_2004, STRUCTURES_OF_2005 } from './predefined-structures'
import type { Structure } from './predefined-structures'
import type { XmpNode } from './xmp-node'

/** The edition of the XMP specification that a part of PDF/A refers to. */
export type Edition = 2004 | 2005

/** A value type of an extension schema. Without fields, it is a text. */
export interface DescribedType {
  name: string
  /** The namespace of the fields. */
  namespace: string
  /** Names of value types by name of the field. */
  fields: ReadonlyMap<string, string>
}

type Check = (node: XmpNode, types: ValueTypes) => boolean

/** Longer names are names of no type. */
const LONGEST_NAME = 500

const ARRAYS = ['bag', 'seq', 'alt'] as const

/** Types whose values may be any text. Choices aren't checked, and neither are URIs, names and locales. */
const TEXTS = ['text', 'propername', 'agentname', 'rational', 'renditionclass', 'locale', 'uri', 'url', 'xpath']

const BASIC: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...TEXTS.map((name): [string, Check] => [name, node => node.isSimple]),
  ['boolean', matching(/^(?:True|False)$/)],
  ['integer', matching(/^[+-]?\d+$/)],
  ['real', matching(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/)],
  ['mimetype', matching(/^[-\w+.]+\/[-\w+.]+$/)],
  // Profile of ISO 8601. An empty text is allowed, as in XMP toolkits.
  ['date', matching(/^(?:-?\d+(?:-\d+(?:-\d+(?:T\d+(?::\d+(?::\d+(?:\.\d+)?)?)?(?:Z|[+-]\d+(?::\d+)?)?)?)?)?)?$/)],
  ['lang alt', node => node.isLangAlt || (node.kind === 'alt' && node.children.length === 0)],
])

/** A set of value types by name: those of an edition of XMP, and those that an extension schema describes. */
export class ValueTypes {
  private constructor(private readonly checks: ReadonlyMap<string, Check>) {}

  /** The types that are no structures. */
  static readonly basic = new ValueTypes(BASIC)

  private static readonly editions: Readonly<Record<Edition, ValueTypes>> = {
    2004: ValueTypes.basic
      .withTypes([['gpscoordinate', matching(/^\d\d,\d\d[,.]\d\d[NSEW]$/)]])
      .withStructures(STRUCTURES_OF_2004),
    2005: ValueTypes.basic
      .withTypes([['gpscoordinate', matching(/^\d{1,3},\d{1,2}(?:,\d{1,2}|\.\d+)[NSEW]$/)]])
      .withStructures(STRUCTURES_OF_2005),
  }

  /** The types of an edition of the XMP specification. */
  static of(edition: Edition): ValueTypes {
    return ValueTypes.editions[edition]
  }

  /** These types and described ones, which replace types of the same name. */
  with(described: readonly DescribedType[]): ValueTypes {
    const checks = described.map(({ name, namespace, fields }): [string, Check] => [
      simplify(name),
      fields.size > 0 ? isStructure(namespace, fields) : node => node.isSimple,
    ])
    return checks.length > 0 ? this.withTypes(checks) : this
  }

  /** Whether a type with this name exists, or can be built from one, such as `bag closed choice of Text`. */
  has(name: string): boolean {
    let type = simplify(name)
    for (let array = arrayOf(type); array; array = arrayOf(type)) type = type.slice(array.length + 1)
    return this.checks.has(type)
  }

  /** Whether a value is of the type with this name. */
  matches(node: XmpNode, name: string): boolean {
    const type = simplify(name)
    if (type === 'any') return true
    const array = arrayOf(type)
    if (!array) return this.checks.get(type)?.(node, this) ?? false
    const items = type.slice(array.length + 1)
    return node.kind === array && node.children.every(item => this.matches(item, items))
  }

  private withTypes(checks: readonly [string, Check][]): ValueTypes {
    return new ValueTypes(new Map([...this.checks, ...checks]))
  }

  private withStructures(structures: Readonly<Record<string, Structure>>): ValueTypes {
    return this.withTypes(
      Object.entries(structures).map(([name, { namespace, fields }]): [string, Check] => [
        name,
        isStructure(namespace, new Map(listNames(fields))),
      ]),
    )
  }
}

function matching(pattern: RegExp): Check {
  return node => node.isSimple && pattern.test(node.value)
}

function isStructure(namespace: string, fields: ReadonlyMap<string, string>): Check {
  return (node, types) =>
    node.kind === 'struct' &&
    node.children.every(field => {
      const type = field.namespace === namespace ? fields.get(field.name) : undefined
      return type !== undefined && types.matches(field, type)
    })
}

function arrayOf(type: string): (typeof ARRAYS)[number] | undefined {
  return ARRAYS.find(array => type.startsWith(`${array} `))
}

/** The name in lower case, without `open choice of` and the like. Arrays of nothing named are arrays of text. */
function simplify(name: string): string {
  if (name.length > LONGEST_NAME) return name
  const type = name
    .toLowerCase()
    .replace(/(?:open |closed )?(?:choice |choice$)(?:of )?/g, '')
    .trim()
  if (type === '') return 'text'
  return !type.endsWith('lang alt') && ARRAYS.some(array => type.endsWith(array)) ? `${type} text` : type
}
