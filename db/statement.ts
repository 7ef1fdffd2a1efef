import { fillPlaceholders, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

/** The text of a statement with the values of its parameters. */
export interface FilledStatement {
  text: string
  values: unknown[]
}

const dialect = new PgDialect()

/** Returns the text and the values of a statement. */
export function fillStatement(statement: SQL | FilledStatement): FilledStatement {
  if ('text' in statement) return statement
  const { sql, params } = dialect.sqlToQuery(statement)
  return { text: sql, values: params }
}

/**
 * Builds the text of a statement on first use, because building it takes longer than sending it. The returned function
 * fills in the values of its placeholders, by name.
 */
export function prepareStatement(build: () => SQL): (values: Record<string, unknown>) => FilledStatement {
  let prepared: FilledStatement | undefined
  return values => {
    prepared ??= fillStatement(build())
    return { text: prepared.text, values: fillPlaceholders(prepared.values, values) }
  }
}
