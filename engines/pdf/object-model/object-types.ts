import { findOrAdd } from '../../map-entries'
import table from './table.json' with { type: 'json' }

/** The kind of a PDF object, as the model counts it: integers and reals are numbers, and dates are strings. */
export type Kind = 'array' | 'boolean' | 'dictionary' | 'name' | 'number' | 'stream' | 'string'

/** What the values of a key may be. */
export interface KeyRule {
  /** The types of the value by its kind. Kinds that the key doesn't take are missing. */
  types: ReadonlyMap<Kind, readonly ObjectType[]>
  /** The names or integers that the key takes. Undefined if it takes any. */
  values: ReadonlySet<string> | undefined
  isRequired: boolean
}

/** The type of a dictionary, stream or array: its keys. An array has its positions as keys, from 0. */
export interface ObjectType {
  name: string
  /** The rule of a key. Undefined if the type doesn't have it. */
  ruleOf(key: string): KeyRule | undefined
  /** The keys that tell which of several types an object has: those with certain values. */
  readonly marks: readonly [key: string, rule: KeyRule][]
}

const KINDS: Readonly<Record<string, Kind>> = {
  array: 'array',
  bitmask: 'number',
  boolean: 'boolean',
  date: 'string',
  dictionary: 'dictionary',
  integer: 'number',
  matrix: 'array',
  name: 'name',
  'name-tree': 'dictionary',
  number: 'number',
  'number-tree': 'dictionary',
  rectangle: 'array',
  stream: 'stream',
  string: 'string',
  'string-ascii': 'string',
  'string-byte': 'string',
  'string-text': 'string',
}

const FORM_FIELDS = ['FieldTx', 'FieldBtnPush', 'FieldBtnCheckbox', 'FieldBtnRadio', 'FieldChoice', 'FieldSig', 'Field']

/** What any dictionary or array may have where the model says nothing: everything but streams. */
const ANYTHING = '* array:_UniversalArray;boolean;dictionary:_UniversalDictionary;name;number;string'

/** Owners of attributes that take keys of other standards (ISO 32000-2, table 376). */
const OTHER_OWNERS = [
  ...['CSS-1', 'CSS-2', 'CSS-3', 'CSS-1.00', 'CSS-2.00', 'CSS-3.00', 'ARIA-1.1', 'XML-1.00', 'OEB-1.00'],
  ...['HTML-3.20', 'HTML-4.01', 'HTML-5.00', 'RTF-1.05', 'NSO'],
].join(',')

/**
 * The keys of each type, one per line: the key, the kinds of its value with the names of their types, the values that it
 * may have, and `required`. The types after the table replace those of the model.
 */
const TABLE: Readonly<Record<string, string>> = {
  ...table,
  _UniversalArray: ANYTHING,
  _UniversalDictionary: `Metadata stream:Metadata\n${ANYTHING}`,
  EncodingMap: '* dictionary:Encoding',
  OtherAttributes: `O name ${OTHER_OWNERS} required\n${ANYTHING}`,
}

/** Keys that the model lacks, or that programs write in another way. */
const MORE: Readonly<Record<string, string>> = {
  AddActionCatalog: 'WC dictionary:ActionECMAScript',
  FileSpecEF: ['DOS', 'Mac', 'Unix'].map(name => `${name} stream:EmbeddedFileStream`).join('\n'),
  Resource: 'Encoding dictionary:EncodingMap',
  ...Object.fromEntries(FORM_FIELDS.map(name => [name, 'DR dictionary:Resource'])),
}

/** Types that an object may have beside the one that the model names. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  StructureAttributesDict: ['OtherAttributes'],
}

const known = new Map<string, ObjectType>()

/**
 * Returns a type of the Arlington PDF Model (PDF Association), which follows ISO 32000-2. Throws RangeError if there is
 * none with this name.
 */
export function typeNamed(name: string): ObjectType {
  return findOrAdd(known, name, () => new TableType(name))
}

let standardKeys: Set<string> | undefined

/** Returns whether some type of the model has this key. */
export function isStandardKey(key: string): boolean {
  return (standardKeys ??= new Set(Object.values(TABLE).flatMap(text => text.match(/^\S+/gm) ?? []))).has(key)
}

let names: Set<string> | undefined

/** Returns whether a name is a key of some type of the model, or one of the values that a key takes. */
export function isNameOfModel(name: string): boolean {
  names ??= new Set(
    Object.values(TABLE)
      .flatMap(text => text.split('\n'))
      .flatMap(line => [line.split(' ')[0] ?? '', ...(line.split(' ')[2] ?? '').split(',')]),
  )
  return /^[A-Za-z]/.test(name) && names.has(name)
}

/** A type from the table. */
class TableType implements ObjectType {
  private keys: Map<string, KeyRule> | undefined
  private marked: [string, KeyRule][] | undefined
  /** The rule of all other keys or items. Items may repeat in groups, such as `0*` and `1*`, and files leave some out. */
  private other: KeyRule | undefined

  constructor(readonly name: string) {
    if (TABLE[name] === undefined) throw new RangeError(`There is no type ${name}.`)
  }

  ruleOf(key: string): KeyRule | undefined {
    return this.read().get(key) ?? this.other ?? (key === 'Type' ? TYPE : undefined)
  }

  get marks(): readonly [string, KeyRule][] {
    return (this.marked ??= [...this.read()].filter(([, { values }]) => values !== undefined))
  }

  private read(): Map<string, KeyRule> {
    if (this.keys) return this.keys
    const keys = (this.keys = new Map<string, KeyRule>())
    for (const line of `${TABLE[this.name]}\n${MORE[this.name] ?? ''}`.trimEnd().split('\n')) {
      const [key = '', kinds = '', values = '', required = ''] = line.split(' ')
      const rule = {
        types: readKinds(kinds),
        values: values === '' ? undefined : new Set(values.split(',')),
        isRequired: required !== '',
      }
      if (key.endsWith('*')) this.other = this.other ? eitherOf(this.other, rule) : rule
      else keys.set(key, rule)
    }
    return keys
  }
}

function eitherOf(one: KeyRule, other: KeyRule): KeyRule {
  const types = new Map(one.types)
  for (const [kind, linked] of other.types) types.set(kind, [...(types.get(kind) ?? []), ...linked])
  return { types, values: undefined, isRequired: false }
}

/** Reads kinds with the names of their types, such as `array:ArrayOfAnnots;null`. */
function readKinds(text: string): Map<Kind, readonly ObjectType[]> {
  const types = new Map<Kind, ObjectType[]>()
  for (const part of text.split(';')) {
    const [name = '', links = ''] = part.split(':')
    const kind = KINDS[name]
    if (!kind) continue
    const list = findOrAdd(types, kind, () => [])
    const linked = links === '' ? [] : links.split(',')
    if (name === 'name-tree' || name === 'number-tree') list.push(treeOf(links))
    else if (name === 'rectangle' || name === 'matrix') list.push(NUMBERS)
    else list.push(...linked.flatMap(link => [link, ...(BESIDE[link] ?? [])]).map(typeNamed))
  }
  return types
}

const SCALARS: readonly Kind[] = ['boolean', 'name', 'number', 'string']

function ruleFor(types: readonly [Kind, readonly ObjectType[]][]): KeyRule {
  return { types: new Map(types), values: undefined, isRequired: false }
}

function typeWith(name: string, ruleOf: ObjectType['ruleOf']): ObjectType {
  return { name, ruleOf, marks: [] }
}

/** Programs write the type of dictionaries for which the standard has none. */
const TYPE = ruleFor([['name', []]])

/** Rectangles and matrices. */
const NUMBERS = typeWith('numbers', () => NUMBER)
const NUMBER = ruleFor([['number', []]])
const LIMITS = ruleFor([['array', [typeWith('limits', () => LIMIT)]]])
const LIMIT = ruleFor([
  ['string', []],
  ['number', []],
])

/** A node of a name tree or number tree (ISO 32000-2, 7.9.6 and 7.9.7) with values of the named types. */
function treeOf(links: string): ObjectType {
  const name = `tree:${links}`
  const tree = known.get(name)
  if (tree) return tree
  const linked = (links === '' ? [] : links.split(',')).map(typeNamed)
  const value = ruleFor([
    ...SCALARS.map((kind): [Kind, ObjectType[]] => [kind, []]),
    ...(['array', 'dictionary', 'stream'] as const).map((kind): [Kind, ObjectType[]] => [kind, linked]),
  ])
  const pairs = typeWith(`${name}:pairs`, key => (Number(key) % 2 === 0 ? LIMIT : value))
  const node = typeWith(name, key => keys.get(key) ?? (key === 'Type' ? TYPE : undefined))
  const keys = new Map([
    ['Kids', ruleFor([['array', [typeWith(`${name}:kids`, () => ruleFor([['dictionary', [node]]]))]]])],
    ['Names', ruleFor([['array', [pairs]]])],
    ['Nums', ruleFor([['array', [pairs]]])],
    ['Limits', LIMITS],
  ])
  known.set(name, node)
  return node
}

/** The types of form fields. */
export const FIELD_TYPES: readonly ObjectType[] = FORM_FIELDS.map(typeNamed)
