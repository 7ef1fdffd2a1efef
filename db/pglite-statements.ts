import { type messages, type PGlite, protocol, types } from '@electric-sql/pglite'
import type { SQL } from 'drizzle-orm'
import type { Queries } from './database'
import { type FilledStatement, fillStatement } from './statement'

const { serialize } = protocol

/** Maximum number of prepared statements, which bounds their memory. Further statements are planned each time. */
const MOST_STATEMENTS = 1000
/** PostgreSQL's code for a plan whose columns have changed since (feature_not_supported). */
const PLAN_CHANGED = '0A000'

interface PreparedStatement {
  name: string
  /** OIDs of the parameter types. */
  parameters: number[]
  fields: { name: string; dataTypeID: number }[]
}

/** Runs each statement with PGlite's query, which plans it each time. Inside a transaction, there is no other way. */
export function queryPlainly(client: Pick<PGlite, 'query'>): Queries {
  return {
    rows: async <Row extends Record<string, unknown>>(statement: SQL | FilledStatement) => {
      const { text, values } = fillStatement(statement)
      return (await client.query<Row>(text, values)).rows
    },
  }
}

/**
 * Runs prepared statements, as drivers of a Postgres server do (PostgreSQL manual, "Extended Query"). After the first
 * run, only the values are sent, in one step. Planning takes most of the time of a short statement here.
 */
export function createStatements(client: PGlite): Queries {
  const statements = new Map<string, PreparedStatement>()
  let statementCount = 0

  const send = async (...parts: Uint8Array[]): Promise<messages.BackendMessage[]> => {
    try {
      return (await client.execProtocol(Buffer.concat([...parts, serialize.sync()]))).messages
    } catch (error) {
      await client.execProtocol(serialize.sync()) // The messages after the error weren't read.
      throw error
    }
  }
  const prepare = async (sql: string): Promise<PreparedStatement> => {
    const name = `sheaf_${(statementCount += 1)}`
    const responses = await send(serialize.parse({ name, text: sql }), serialize.describe({ type: 'S', name }))
    const parameters = responses.find(isParameterDescription)?.dataTypeIDs ?? []
    const statement = { name, parameters, fields: responses.find(isRowDescription)?.fields ?? [] }
    statements.set(sql, statement)
    return statement
  }
  const execute = async <Row>(sql: string, values: unknown[]): Promise<Row[]> => {
    const { name, parameters, fields } = statements.get(sql) ?? (await prepare(sql))
    const parameterValues = values.map((value, index) =>
      serializeValue(value, client.serializers[parameters[index] ?? 0]),
    )
    const responses = await send(serialize.bind({ statement: name, values: parameterValues }), serialize.execute({}))
    return responses.filter(isDataRow).map(({ fields: rowValues }) => {
      const entries = fields.map((field, index) => [
        field.name,
        types.parseType(rowValues[index] ?? null, field.dataTypeID, client.parsers) as unknown,
      ])
      return Object.fromEntries(entries) as Row // The caller knows the shape of the row.
    })
  }
  return {
    rows: async <Row extends Record<string, unknown>>(statement: SQL | FilledStatement) => {
      const { text, values } = fillStatement(statement)
      if (!statements.has(text) && statements.size >= MOST_STATEMENTS)
        return (await client.query<Row>(text, values)).rows
      try {
        return await client.runExclusive(() => execute<Row>(text, values))
      } catch (error) {
        if ((error as { code?: string }).code !== PLAN_CHANGED || !statements.delete(text)) throw error
        return await client.runExclusive(() => execute<Row>(text, values))
      }
    },
  }
}

function serializeValue(value: unknown, serializer: types.Serializer | undefined): string | null {
  if (value === null || value === undefined) return null
  if (serializer !== undefined) return serializer(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isParameterDescription(message: messages.BackendMessage): message is messages.ParameterDescriptionMessage {
  return message.name === 'parameterDescription'
}

function isRowDescription(message: messages.BackendMessage): message is messages.RowDescriptionMessage {
  return message.name === 'rowDescription'
}

function isDataRow(message: messages.BackendMessage): message is messages.DataRowMessage {
  return message.name === 'dataRow'
}
