import type * as z from 'zod'
import type { Problem } from '../../engines/errors'
import type { BodyFile } from '../body/body'
import { findResemblingName } from './resembling-name'
import { hasFixedKeys, listKeys } from './schema-keys'

/**
 * What happens to unknown fields: `strict` refuses all of them and `lenient` ignores all of them (RFC 7240, `Prefer:
 * handling`). `default` refuses those that resemble a known field.
 */
export type Handling = 'strict' | 'lenient' | 'default'

/** The parts of a request beside its body that `checkFields` needs. */
export interface FieldHints {
  handling: Handling
  /** Names in the query string. No operation takes fields from there. */
  query: readonly string[]
}

/** What an operation knows about its fields. */
export interface KnownFields {
  /** The schema of the fields, with their members at any depth. */
  schema: z.ZodObject
  /** Known top-level names that aren't in the schema. */
  names?: readonly string[]
  /** Fields for files. */
  fileFields: readonly string[]
  /** A top-level field whose schema refuses unknown members. Its members are the options of a tool. */
  optionsKey?: string
}

/** Fields and files without the unknown ones, which are either ignored or refused. */
interface CheckedFields {
  fields: Record<string, unknown>
  files: BodyFile[]
  /** Files in ignored fields. Empty if the client wants unknown fields to be ignored. */
  ignoredFiles: BodyFile[]
  /** Whether a file was refused because of its field. */
  isFileRefused: boolean
  /** Names of the ignored fields, such as `items.color`, each once and in order of appearance. */
  ignored: string[]
  problems: Problem[]
}

/** The longest part of an unknown name that a problem repeats. */
const MAX_SHOWN = 200
/** Problems are for people. More of the same kind don't help. */
const MAX_PROBLEMS = 20

/** Stands for the value of a field that is a file. */
const A_FILE = Symbol('file')
/** The most places that a problem suggests for a misplaced field. */
const MAX_PLACES = 3
/** Comparing names takes time, so a request with more different unknown names is refused. */
const MAX_UNKNOWN = 1000

/**
 * Separates known fields from unknown ones at any depth. Refuses a field that resembles a known one, and a known field
 * in the wrong place: in the query string, or one level above or below its own. Other unknown fields are ignored.
 * `hints.handling` may refuse or ignore all unknown fields instead. Null counts as not sent.
 */
export function checkFields(sent: Sent, known: KnownFields, { handling, query }: FieldHints): CheckedFields {
  const check = new FieldCheck(known, handling)
  const fields = check.copy(sent.fields, TOP) as Record<string, unknown> // A copy of an object is an object.
  const files = sent.files.filter(file => check.isKnownFile(file))
  for (const name of query) check.recordQueryName(name)
  const unknownFiles = sent.files.filter(file => !files.includes(file))
  return {
    fields,
    files,
    ignoredFiles: handling === 'lenient' ? [] : unknownFiles.filter(({ field }) => check.ignored.has(field)),
    isFileRefused: unknownFiles.some(({ field }) => !check.ignored.has(field)),
    ignored: [...check.ignored],
    problems: check.problems,
  }
}

/** Fields and files of a body. */
interface Sent {
  fields: Record<string, unknown>
  files: BodyFile[]
}

const FILE_MEMBERS = ['name', 'dataBase64', 'url']

interface Location {
  /** Keys from the top, with 0 for any element of an array. */
  path: readonly PropertyKey[]
  /** The location as the client wrote it, such as `items[1]`. */
  name: () => string
  /** The location without indexes, such as `items`. */
  label: string
}

const TOP: Location = { path: [], name: () => '', label: '' }

class FieldCheck {
  readonly ignored = new Set<string>()
  readonly problems: Problem[] = []
  private readonly keysByLabel = new Map<string, readonly string[]>()
  private readonly isFixedByLabel = new Map<string, boolean>()
  private readonly membersByLabel = new Map<string, [holder: string, member: string][]>()

  constructor(
    private readonly known: KnownFields,
    private readonly handling: Handling,
  ) {}

  /** Returns a copy of a value without its unknown members. The limits of accepted bodies bound the depth. */
  copy(value: unknown, location: Location): unknown {
    const { path, name, label } = location
    if (Array.isArray(value)) return this.copyElements(value, location)
    if (!isObject(value) || !this.hasFixedKeys(location)) return value
    const keys = this.keysAt(location)
    const copy = Object.create(null) as Record<string, unknown> // Any key is safe in it, also `__proto__`.
    for (const [key, member] of Object.entries(value)) {
      if (!keys.includes(key)) this.recordUnknown(key, member, location)
      else if (key === this.known.optionsKey && path.length === 0 && this.handling !== 'lenient') copy[key] = member
      else
        copy[key] = this.copy(member, { path: [...path, key], name: () => join(name(), key), label: join(label, key) })
    }
    return copy
  }

  /** A long array may have elements of any kind. Only objects among them need a name. */
  private copyElements(elements: unknown[], { path, name, label }: Location): unknown[] {
    const elementPath = [...path, 0]
    return elements.map((element, index) =>
      typeof element === 'object' && element !== null
        ? this.copy(element, { path: elementPath, name: () => `${name()}[${index}]`, label })
        : element,
    )
  }

  /** Returns whether a file's field is known. Notes the field if it isn't, and unknown members of the file. */
  isKnownFile({ field, otherMembers = [] }: BodyFile): boolean {
    const { fileFields } = this.known
    const isKnown = fileFields.includes(field)
    if (!isKnown) this.recordUnknown(field, A_FILE, TOP)
    for (const name of otherMembers) {
      this.settle(name, name.replace(/\[\d+\]/, ''), FILE_MEMBERS, () => {
        const member = findResemblingName(lastKey(name), FILE_MEMBERS)
        return member && describeResembled(lastKey(name), member)
      })
    }
    return isKnown
  }

  /** Names in the query string are never fields, so that a known name is in the wrong place. */
  recordQueryName(name: string): void {
    const top = this.keysAt(TOP)
    this.settle(name, name, top, () => {
      const [holder, key] = this.membersOf(TOP).find(([, member]) => member === name) ?? []
      const location = holder === undefined || key === undefined ? undefined : join(holder, key)
      const meant = top.find(one => lastKey(one) === name) ?? location ?? findResemblingName(name, top)
      return meant && `is in the query string of the URL. Send it in the body as "${meant}".`
    })
  }

  private recordUnknown(key: string, value: unknown, location: Location): void {
    if (value === null || value === undefined) return
    this.settle(join(location.name(), key), join(location.label, key), this.keysAt(location), () =>
      this.findHint(key, value, location),
    )
  }

  /** Ignores or refuses an unknown name. `findHint` returns what the client probably meant, and is slow. */
  private settle(name: string, label: string, keys: readonly string[], findHint: () => string | undefined): void {
    if (this.handling === 'lenient' || this.ignored.has(label)) {
      this.ignored.add(label)
      return
    }
    if (this.problems.length === MAX_PROBLEMS) return
    if (this.ignored.size === MAX_UNKNOWN) {
      this.refuse(name, `unknown field. A request may have at most ${MAX_UNKNOWN.toLocaleString('en')} unknown fields.`)
      return
    }
    const hint = findHint()
    if (hint !== undefined) this.refuse(name, hint)
    else if (this.handling === 'strict')
      this.refuse(name, `unknown field. Known fields are ${keys.slice(0, 40).join(', ')}.`)
    else this.ignored.add(label)
  }

  /**
   * Returns what the client probably meant with an unknown field. Undefined if it resembles no field at its place, one
   * level below or one level above.
   */
  private findHint(key: string, value: unknown, location: Location): string | undefined {
    const { path } = location
    const name = location.name()
    const keys = this.keysAt(location)
    const { optionsKey } = this.known
    const holders = this.membersOf(location).flatMap(([holder, member]) => (member === key ? [holder] : []))
    if (optionsKey !== undefined && holders.includes(optionsKey))
      return `is an option. Send it inside "${optionsKey}": {${JSON.stringify(key)}: …}.`
    const resembled = findResemblingName(key, keys)
    if (resembled !== undefined) return describeResembled(key, resembled)
    // A form can't have a file inside another field.
    if (holders.length > 0 && value !== A_FILE)
      return `belongs one level down. Send it as ${quote(holders.map(holder => join(join(name, holder), key)))}.`
    if (path.length > 0) {
      const above = this.keysAbove(path)
      if (above.keys.includes(key)) return `belongs one level up. Send it as ${quote([join(above.label, key)])}.`
    }
    const knownMembers = isObject(value) ? Object.keys(value).filter(member => keys.includes(member)) : []
    return knownMembers.length > 0
      ? `unknown field. Send its members one level up, as ${quote(knownMembers.map(member => join(name, member)))}.`
      : undefined
  }

  private refuse(param: string, message: string): void {
    this.problems.push({ param: param.slice(0, MAX_SHOWN), message })
  }

  private hasFixedKeys({ path, label }: Location): boolean {
    const isFixed = this.isFixedByLabel.get(label) ?? (path.length === 0 || hasFixedKeys(this.known.schema, path))
    this.isFixedByLabel.set(label, isFixed)
    return isFixed
  }

  /** The known keys of objects at a place. */
  private keysAt({ path, label }: Pick<Location, 'path' | 'label'>): readonly string[] {
    const listed = this.keysByLabel.get(label)
    if (listed) return listed
    const { names = [], fileFields, schema } = this.known
    const keys = [...(path.length === 0 ? [...names, ...fileFields] : []), ...listKeys(schema, path)]
    this.keysByLabel.set(label, keys)
    return keys
  }

  /** The known keys one level below a place. `holder` is the field at the place that has the key. */
  private membersOf(location: Location): [holder: string, member: string][] {
    const { path, label } = location
    const { schema } = this.known
    const members =
      this.membersByLabel.get(label) ??
      this.keysAt(location).flatMap(holder =>
        [...listKeys(schema, [...path, holder]), ...listKeys(schema, [...path, holder, 0])].map(
          (key): [string, string] => [holder, key],
        ),
      )
    this.membersByLabel.set(label, members)
    return members
  }

  /** The keys of the object that holds an object, or holds the array that it is in. */
  private keysAbove(path: readonly PropertyKey[]): { keys: readonly string[]; label: string } {
    const isElement = path.at(-1) === 0
    const above = path.slice(0, isElement ? -2 : -1)
    const label = above.filter(key => key !== 0).join('.')
    return { keys: this.keysAt({ path: above, label }), label }
  }
}

function describeResembled(key: string, resembled: string): string {
  const isNested = /^[^.[]+[.[][^\]]/.test(key)
  const hint = isNested
    ? `Send "${resembled}" as JSON.`
    : `Did you mean "${resembled}"?${key.endsWith('[]') ? ' Repeat it for each value.' : ''}`
  return `unknown field. ${hint}`
}

function quote(places: string[]): string {
  return places
    .slice(0, MAX_PLACES)
    .map(location => `"${location}"`)
    .join(' or ')
}

function lastKey(location: string): string {
  return location.slice(location.lastIndexOf('.') + 1)
}

function join(name: string, key: string): string {
  return name === '' ? key : `${name}.${key}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
