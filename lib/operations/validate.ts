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
  const found = new EarlyCheck(origin.most ?? MAX_PROBLEMS).find(schema, input)
  return { problems: describeIssues(found.length > 0 ? found : (schema.safeParse(input).error?.issues ?? []), known) }
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

/** Finds errors in large arrays and records, member by member, until there are enough. */
class EarlyCheck {
  private readonly issues: Issue[] = []

  constructor(private readonly most: number) {}

  find(schema: Schema, input: unknown): Issue[] {
    this.visit([schema], input, [])
    return this.issues
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
    for (const [index, element] of elements.entries())
      this.visitMember(candidates, element, [...path, index], elements.length)
  }

  private visitMembers(schemas: Schema[], object: Record<string, unknown>, path: Path): void {
    const keys = Object.keys(object)
    const size = schemas.some(isRecord) ? keys.length : 0
    for (const key of keys) {
      if (this.issues.length > this.most) return
      const candidates = schemas.flatMap(schema => childSchemas(schema, key))
      if (candidates.length > 0) this.visitMember(candidates, object[key], [...path, key], size)
    }
  }

  /** A member of a small container is only checked inside. The container itself is checked as a whole. */
  private visitMember(candidates: Schema[], value: unknown, path: Path, size: number): void {
    if (this.issues.length > this.most) return
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

function longest(schema: z.core.$ZodArray): number {
  const { maximum } = schema._zod.bag as { maximum?: number } // Checks of the length set it.
  return maximum ?? Infinity
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
