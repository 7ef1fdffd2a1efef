import * as z from 'zod'
import type { Problem } from '../../engines/errors'
import { describeIssues, MAX_PROBLEMS, type Origin } from './problems'
import { childSchemas, listKeys, unwrap } from './schema-keys'

/** Containers with more members are checked one member at a time, so that the check can end early. */
const MAX_UNCOUNTED = 20

type Schema = z.core.$ZodType
type Path = readonly PropertyKey[]

/** The output of a schema, or the problems of the input. */
type Validated<Output> = { data: Output; problems?: undefined } | { data?: undefined; problems: Problem[] }

/**
 * Validates the input of a request. The work ends after 20 problems, however many the input has. zod itself would
 * collect all of them. `origin.sent` is the input with its unknown fields, if the validated input lacks them.
 */
export function validate<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
  origin: Omit<Origin, 'schema' | 'input'> & { sent?: unknown },
): Validated<Output> {
  const known = { ...origin, schema, input: origin.sent ?? input }
  const problems = new EarlyCheck(known).findProblems(input)
  if (problems.length > 0) return { problems }
  const parsed = schema.safeParse(input)
  return parsed.success ? { data: parsed.data } : { problems: describeIssues(parsed.error.issues, known) }
}

/** Checks large objects and arrays member by member, until one is wrong in too many ways. */
class EarlyCheck {
  private readonly issues: z.core.$ZodIssue[] = []
  private readonly most: number

  constructor(private readonly origin: Origin) {
    this.most = origin.most ?? MAX_PROBLEMS
  }

  findProblems(input: unknown): Problem[] {
    this.visit(unwrap(this.origin.schema), input, [])
    return describeIssues(this.issues, this.origin)
  }

  private visit(schemas: Schema[], value: unknown, path: Path): void {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) this.visitElements(schemas.filter(isArray), value, path)
    else this.visitMembers(schemas, value as Record<string, unknown>, path) // It isn't null or an array.
  }

  private visitElements(schemas: z.core.$ZodArray[], elements: unknown[], path: Path): void {
    // zod refuses an array that is too long before it reads the elements.
    const fitting = schemas.filter(schema => elements.length <= longest(schema))
    if (fitting.length === 0) return
    const candidates = fitting.map(schema => schema._zod.def.element)
    const members = candidates.flatMap(unwrap)
    for (const [index, element] of elements.entries()) {
      if (this.isSpent()) return
      this.visitMember({ candidates, members }, { value: element, isOneOfMany: elements.length > MAX_UNCOUNTED }, [
        ...path,
        index,
      ])
    }
  }

  private visitMembers(schemas: Schema[], object: Record<string, unknown>, path: Path): void {
    const keys = Object.keys(object)
    const strict = schemas.filter(isStrictObject)
    if (strict.length > 0 && strict.length === schemas.filter(isHolder).length) {
      const known = new Set(listKeys(this.origin.schema, generalize(path)))
      const unknown = keys.filter(key => !known.has(key))
      if (unknown.length > MAX_UNCOUNTED) {
        this.issues.push({ code: 'unrecognized_keys', keys: unknown, path: [...path], message: 'Unrecognized' })
        return
      }
    }
    const isOneOfMany = schemas.some(isRecord) && keys.length > MAX_UNCOUNTED
    for (const key of keys) {
      if (this.isSpent()) return
      const candidates = schemas.flatMap(schema => childSchemas(schema, key))
      if (candidates.length === 0) continue
      this.visitMember({ candidates, members: candidates.flatMap(unwrap) }, { value: object[key], isOneOfMany }, [
        ...path,
        key,
      ])
    }
  }

  /** A member of a small container is only checked if it is large itself. zod checks the rest. */
  private visitMember(
    { candidates, members }: { candidates: Schema[]; members: Schema[] },
    { value, isOneOfMany }: { value: unknown; isOneOfMany: boolean },
    path: Path,
  ): void {
    const count = this.issues.length
    this.visit(members, value, path)
    if (!isOneOfMany || this.issues.length > count) return
    let issues: z.core.$ZodIssue[] | undefined
    for (const candidate of candidates) {
      const parsed = z.safeParse(candidate, value)
      if (parsed.success) return
      issues ??= parsed.error.issues
    }
    for (const issue of issues ?? []) this.issues.push({ ...issue, path: [...path, ...issue.path] })
  }

  private isSpent(): boolean {
    return this.issues.length > this.most
  }
}

/** Positions in arrays are 0 in the path of a schema. */
function generalize(path: Path): Path {
  return path.map(key => (typeof key === 'number' ? 0 : key))
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

function isHolder(schema: Schema): boolean {
  return ['object', 'record'].includes((schema as Definition)._zod.def.type) // as above
}

function isStrictObject(schema: Schema): boolean {
  const { def } = (schema as Definition)._zod // as above
  return def.type === 'object' && (def.catchall as Definition | undefined)?._zod.def.type === 'never' // as above
}
