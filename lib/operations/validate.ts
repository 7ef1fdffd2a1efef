import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import type { Problem } from '../../engines/errors'
import { describeIssues, MAX_PROBLEMS, type Origin } from './problems'
import { childSchemas, listKeys, unwrap } from './schema-keys'

/**
 * Members of larger containers are checked one at a time, so that the check can end early. zod checks smaller ones at
 * once.
 */
const MAX_TOGETHER = 20

type Schema = z.core.$ZodType
type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** The output of a schema, or the problems of the input. */
type Validated<Output> = { data: Output; problems?: undefined } | { data?: undefined; problems: Problem[] }

/**
 * Validates the input of a request. Other requests run in between, and the work ends soon after 20 problems, however many
 * the input has. `origin.sent` is the input with its unknown fields, if the validated input lacks them.
 */
export async function validate<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
  origin: Omit<Origin, 'schema' | 'input'> & { sent?: unknown },
): Promise<Validated<Output>> {
  await setImmediate()
  const known = { ...origin, schema, input: origin.sent ?? input }
  const early = findManyUnknownKeys(schema, input)
  if (early) return { problems: describeIssues([early], known) }
  const found = await new MemberCheck(origin.most ?? MAX_PROBLEMS).find(schema, input)
  if (found.length > 0) return { problems: describeIssues(found, known) }
  // The members of large containers are right, so that zod finds few errors.
  const { data, error } = schema.safeParse(input)
  return error ? { problems: describeIssues(error.issues, known) } : { data }
}

/**
 * Returns the unknown keys of the input itself if they are more than `MAX_TOGETHER`, so that its members needn't be
 * checked. Undefined if they are fewer, which zod finds, or if the schema allows unknown keys.
 */
function findManyUnknownKeys(schema: Schema, input: unknown): Issue | undefined {
  if (typeof input !== 'object' || input === null || !unwrap(schema).every(isStrictObject)) return undefined
  const known = new Set(listKeys(schema, []))
  const keys = Object.keys(input).filter(key => !known.has(key))
  return keys.length > MAX_TOGETHER ? { code: 'unrecognized_keys', keys, path: [], message: 'Unrecognized' } : undefined
}

/** How long the check goes on without a pause, in milliseconds. */
const STRETCH_MS = 10

/** Finds errors in large arrays and records, member by member, until there are enough. Pauses for other requests. */
class MemberCheck {
  private readonly issues: Issue[] = []
  private begun = performance.now()

  constructor(private readonly most: number) {}

  async find(schema: Schema, input: unknown): Promise<Issue[]> {
    for (const found of this.visit([schema], input, [])) {
      this.issues.push(...found)
      if (this.issues.length > this.most) break
      if (performance.now() - this.begun < STRETCH_MS) continue
      await setImmediate()
      this.begun = performance.now()
    }
    return this.issues
  }

  /** Visits the members one by one, and returns the errors of each. */
  private *visit(candidates: Schema[], value: unknown, path: Path): Generator<Issue[]> {
    if (typeof value !== 'object' || value === null) return
    const schemas = candidates.flatMap(unwrap)
    if (Array.isArray(value)) yield* this.visitElements(schemas.filter(isArray), value, path)
    else yield* this.visitMembers(schemas, value as Record<string, unknown>, path) // It isn't null or an array.
  }

  private *visitElements(schemas: z.core.$ZodArray[], elements: unknown[], path: Path): Generator<Issue[]> {
    // zod refuses an array that is too long before it reads the elements.
    const candidates = schemas
      .filter(schema => elements.length <= mostElements(schema))
      .map(({ _zod }) => _zod.def.element)
    if (candidates.length === 0) return
    for (const [index, element] of elements.entries())
      yield* this.visitMember(candidates, element, [...path, index], elements.length)
  }

  private *visitMembers(schemas: Schema[], object: Record<string, unknown>, path: Path): Generator<Issue[]> {
    const keys = Object.keys(object)
    const size = schemas.some(isRecord) ? keys.length : 0
    for (const key of keys) {
      const candidates = schemas.flatMap(schema => childSchemas(schema, key))
      if (candidates.length > 0) yield* this.visitMember(candidates, object[key], [...path, key], size)
    }
  }

  /** A member of a small container is only checked inside. The container itself is checked as a whole. */
  private *visitMember(candidates: Schema[], value: unknown, path: Path, size: number): Generator<Issue[]> {
    const count = this.issues.length
    yield* this.visit(candidates, value, path)
    const isChecked = size > MAX_TOGETHER && this.issues.length === count
    yield isChecked ? findIssues(candidates, value).map(issue => ({ ...issue, path: [...path, ...issue.path] })) : []
  }
}

/** The errors by the first schema. None if another one accepts the value. */
function findIssues([first, ...others]: Schema[], value: unknown): Issue[] {
  const issues = first && z.safeParse(first, value).error?.issues
  return issues && !others.some(schema => z.safeParse(schema, value).success) ? issues : []
}

/** The most elements that an array may have, by the checks of its length. Infinity if there is no limit. */
function mostElements(schema: z.core.$ZodArray): number {
  const limits = (schema._zod.def.checks ?? []).map(({ _zod }) => {
    const { maximum, length } = _zod.def as { maximum?: number; length?: number } // Members of checks of the length.
    return maximum ?? length ?? Infinity
  })
  return Math.min(...limits)
}

type Definition = z.core.$ZodTypes

function isArray(schema: Schema): schema is z.core.$ZodArray {
  return (schema as Definition)._zod.def.type === 'array' // Every zod schema has this shape.
}

function isRecord(schema: Schema): boolean {
  return (schema as Definition)._zod.def.type === 'record' // as above
}

function isStrictObject(schema: Schema): boolean {
  const { def } = (schema as Definition)._zod // as above
  return def.type === 'object' && (def.catchall as Definition | undefined)?._zod.def.type === 'never' // as above
}
