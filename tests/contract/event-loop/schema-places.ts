import type { JsonSchema } from '../../../lib/docs/json-schema'

export type Path = readonly (string | number)[]

/** A place in a body, with one of the schemas of its values. */
export interface Place {
  path: Path
  schema: JsonSchema
}

/** How `writeFilled` fills a schema. */
export interface Filling {
  text(schema: JsonSchema): string
  /** Which branch of each union is filled. The last one if there are fewer. */
  branch?: number
  /** The number of elements of each array. */
  elements?: number
}

const MAX_DEPTH = 12

/** Reads a JSON Schema with its own `$defs`. */
export class SchemaReader {
  /** Every place, over all branches of unions. A place with several kinds of values is in the list several times. */
  readonly places: readonly Place[]
  /** The largest number of branches of a union. */
  readonly branches: number

  constructor(readonly root: JsonSchema) {
    this.places = this.listPlaces(root, [], [])
    const children = this.places.flatMap(({ schema }) => this.childrenOf(schema))
    this.branches = Math.max(1, ...children.map(([, child]) => this.branchesOf(child).length))
  }

  /** The places below a schema. Recursion ends at its second round. */
  private listPlaces(schema: JsonSchema, path: Path, above: readonly JsonSchema[]): Place[] {
    return this.branchesOf(schema).flatMap(branch => {
      if (above.includes(branch) || above.length > MAX_DEPTH) return []
      const inside = this.childrenOf(branch).flatMap(([key, child]) =>
        this.listPlaces(child, [...path, key], [...above, branch]),
      )
      return [{ path, schema: branch }, ...inside]
    })
  }

  /** A small value that the schema probably accepts. */
  writeSample(schema: JsonSchema): unknown {
    const [branch = {}] = this.branchesOf(schema)
    const known = branch.const ?? branch.enum?.[0] ?? branch.default
    if (known !== undefined) return known
    if (branch.properties !== undefined || branch.type === 'object') return this.writeRequired(branch)
    if (branch.type === 'array')
      return Array.from({ length: branch.minItems ?? 1 }, () => this.writeSample(itemOf(branch)))
    if (branch.type === 'string') return 'a'.repeat(Math.max(1, branch.minLength ?? 1))
    return branch.type === 'boolean' ? true : Math.max(1, branch.minimum ?? 1)
  }

  /** A value of the schema with `value` at `path`, and with what must surround it. */
  writeAt(schema: JsonSchema, path: Path, value: unknown): unknown {
    const [key, ...rest] = path
    if (key === undefined) return value
    const holder = this.branchesOf(schema).find(branch => this.childrenOf(branch).some(([name]) => name === key)) ?? {}
    const child = this.childrenOf(holder).find(([name]) => name === key)?.[1] ?? {}
    const inside = this.writeAt(child, rest, value)
    return typeof key === 'number' ? [inside] : { ...this.writeRequired(holder), [key]: inside }
  }

  /** A value with every property, in which every text without fixed values is the filling. */
  writeFilled(schema: JsonSchema, filling: Filling, above: readonly JsonSchema[] = []): unknown {
    const branches = this.branchesOf(schema)
    const branch = branches[Math.min(filling.branch ?? 0, branches.length - 1)] ?? {}
    if (above.includes(branch)) return this.writeSample(branch)
    const fill = (child: JsonSchema) => this.writeFilled(child, filling, [...above, branch])
    if (branch.const !== undefined || branch.enum !== undefined) return this.writeSample(branch)
    if (branch.type === 'string') return filling.text(branch)
    if (branch.type === 'array') return Array.from({ length: filling.elements ?? 1 }, () => fill(itemOf(branch)))
    const children = this.childrenOf(branch)
    if (children.length > 0) return Object.fromEntries(children.map(([key, child]) => [key, fill(child)]))
    return this.writeSample(branch)
  }

  private writeRequired(branch: JsonSchema): Record<string, unknown> {
    const properties = Object.entries(branch.properties ?? {})
    const required = properties.filter(([name]) => branch.required?.includes(name))
    return Object.fromEntries(required.map(([name, child]) => [name, this.writeSample(child as JsonSchema)]))
  }

  /** Resolves references and unions. */
  private branchesOf(schema: JsonSchema): JsonSchema[] {
    const { $ref, anyOf, oneOf, allOf } = schema
    if (typeof $ref === 'string') return this.branchesOf(this.resolve($ref))
    const branches = [anyOf, oneOf, allOf].flatMap(list => list ?? [])
    return branches.length === 0 ? [schema] : branches.flatMap(branch => this.branchesOf(branch))
  }

  private resolve(reference: string): JsonSchema {
    if (reference === '#') return this.root
    const target = this.root.$defs?.[reference.replace('#/$defs/', '')]
    if (target === undefined) throw new Error(`There is no schema ${reference}`)
    return target
  }

  /** The members of an object, the first element of an array, and a member of a record. */
  private childrenOf(branch: JsonSchema): [string | number, JsonSchema][] {
    const properties = Object.entries(branch.properties ?? {}) as [string, JsonSchema][]
    const others = branch.additionalProperties
    return [
      ...properties,
      ...(typeof others === 'object' ? [['any', others] as [string, JsonSchema]] : []),
      ...(branch.items !== undefined || branch.prefixItems !== undefined
        ? [[0, itemOf(branch)] as [number, JsonSchema]]
        : []),
    ]
  }
}

function itemOf({ items, prefixItems }: JsonSchema): JsonSchema {
  const [first] = (prefixItems ?? []) as JsonSchema[]
  return first ?? (typeof items === 'object' && !Array.isArray(items) ? items : {})
}
