import * as z from 'zod'
import type { Problem } from '../../engines/errors'
import { describeIssues, MAX_PROBLEMS, type Origin } from './problems'
import { childSchemas, listKeys, unwrap } from './schema-keys'

/** Members of larger containers are checked one at a time, so that the check can end early. */
const MAX_TOGETHER = 20

type Schema = z.core.$ZodType
type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** The output of a schema, or the problems of the input. */
type Validated<Output> = { data: Output; problems?: undefined } | { data?: undefined; problems: Problem[] }

/**
 * Validates the input of a request. The work ends soon after 20 problems, however many the input has. `origin.sent` is
 * the input with its unknown fields, if the validated input lacks them.
 */
export function validate<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
  origin: Omit<Origin, 'schema' | 'input'> & { sent?: unknown },
): Validated<Output> {
  const known = { ...origin, schema, input: origin.sent ?? input }
  const early = findUnknownKeys(schema, input)
  if (early) return { problems: describeIssues([early], known) }
  // With `abortEarly`, arrays and objects end at the first error.
  const { value, issues } = schema._zod.run({ value: input, issues: [] }, { async: false, abortEarly: true }) as Payload
  // The schema accepted the value, so that it has the type.
  if (issues.length === 0) return { data: value as Output }
  const check = new EarlyCheck(origin.most ?? MAX_PROBLEMS)
  const found = check.find(schema, input)
  if (found.length > 0) return { problems: describeIssues(found, known) }
  // A small input is checked as a whole. Of a large one, the first error has to do.
  const all = check.isExhausted ? issues.map(finish) : (schema.safeParse(input).error?.issues ?? [])
  return { problems: describeIssues(all, known) }
}

function finish(issue: z.core.$ZodRawIssue): Issue {
  return z.core.util.finalizeIssue(issue, undefined, z.core.config())
}

/** The result of a schema that isn't asynchronous. */
type Payload = z.core.ParsePayload

/** Many unknown keys of the input itself, which zod would list all. */
function findUnknownKeys(schema: Schema, input: unknown): Issue | undefined {
  if (typeof input !== 'object' || input === null || !unwrap(schema).every(isStrictObject)) return undefined
  const known = new Set(listKeys(schema, []))
  const keys = Object.keys(input).filter(key => !known.has(key))
  return keys.length > MAX_TOGETHER ? { code: 'unrecognized_keys', keys, path: [], message: 'Unrecognized' } : undefined
}

/** Members that are checked one at a time. The check of more would take longer than a request may. */
const MAX_VISITED = 5000

/** Finds errors in large arrays and records, member by member, until there are enough, or enough members. */
class EarlyCheck {
  private readonly issues: Issue[] = []
  private visited = 0

  constructor(private readonly most: number) {}

  find(schema: Schema, input: unknown): Issue[] {
    this.visit([schema], input, [])
    return this.issues
  }

  /** Whether the input has more members than are checked. */
  get isExhausted(): boolean {
    return this.visited > MAX_VISITED
  }

  private get isOver(): boolean {
    return this.isExhausted || this.issues.length > this.most
  }

  private visit(candidates: Schema[], value: unknown, path: Path): void {
    if (typeof value !== 'object' || value === null) return
    const schemas = candidates.flatMap(unwrap)
    if (Array.isArray(value)) this.visitElements(schemas.filter(isArray), value, path)
    else this.visitMembers(schemas, value as Record<string, unknown>, path) // It isn't null or an array.
  }

  private visitElements(schemas: z.core.$ZodArray[], elements: unknown[], path: Path): void {
    // zod refuses an array that is too long before it reads the elements.
    const candidates = schemas.filter(schema => elements.length <= longest(schema)).map(({ _zod }) => _zod.def.element)
    if (candidates.length === 0) return
    for (const [index, element] of elements.entries()) {
      if (this.isOver) return
      this.visitMember(candidates, element, [...path, index], elements.length)
    }
  }

  private visitMembers(schemas: Schema[], object: Record<string, unknown>, path: Path): void {
    const keys = Object.keys(object)
    const size = schemas.some(isRecord) ? keys.length : 0
    for (const key of keys) {
      if (this.isOver) return
      const candidates = schemas.flatMap(schema => childSchemas(schema, key))
      if (candidates.length > 0) this.visitMember(candidates, object[key], [...path, key], size)
    }
  }

  /** A member of a small container is only checked inside. The container itself is checked as a whole. */
  private visitMember(candidates: Schema[], value: unknown, path: Path, size: number): void {
    this.visited++
    const count = this.issues.length
    this.visit(candidates, value, path)
    if (size <= MAX_TOGETHER || this.issues.length > count) return
    let issues: Issue[] | undefined
    for (const candidate of candidates) {
      const parsed = z.safeParse(candidate, value)
      if (parsed.success) return
      issues ??= parsed.error.issues
    }
    for (const issue of issues ?? []) this.issues.push({ ...issue, path: [...path, ...issue.path] })
  }
}

/** The most elements of an array, by the checks of its length. */
function longest(schema: z.core.$ZodArray): number {
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
