import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Database } from '../../db/database'
import { createQueries } from '../../db/postgres'
import * as schema from '../../db/schema'

/** A node of a plan in the JSON of EXPLAIN. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Subplan Name'?: string
  'CTE Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

/** A statement with its plan. */
export interface Plan {
  query: string
  root: PlanNode
}

/**
 * One connection to a Postgres server that reports how it ran each statement, through its module auto_explain. The
 * report includes statements of the service, of triggers and of foreign keys. Requires a superuser. Further settings
 * apply to the session.
 */
export function openExplained(
  url: string,
  settings: Record<string, string> = {},
): { database: Database; takePlans(): Plan[] } {
  const plans: Plan[] = []
  const client = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: notice => plans.push(...readPlan(notice['message'] ?? '')),
    connection: {
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_buffers': 'on',
      'auto_explain.log_nested_statements': 'on',
      'auto_explain.log_format': 'json',
      'auto_explain.log_level': 'notice',
      ...settings,
    },
  })
  return { database: buildDatabase(client), takePlans: () => plans.splice(0) }
}

function readPlan(message: string): Plan[] {
  const start = message.indexOf('{')
  if (!message.startsWith('duration:') || start < 0) return []
  const explained = JSON.parse(message.slice(start)) as { 'Query Text': string; Plan: PlanNode }
  return [{ query: explained['Query Text'], root: explained.Plan }]
}

function buildDatabase(client: postgres.Sql): Database {
  return {
    kind: 'postgres',
    drizzle: drizzle(client, { schema }),
    rows: createQueries(client).rows,
    transaction: async work => {
      const results: Awaited<ReturnType<typeof work>>[] = []
      await client.begin(async transaction => void results.push(await work(createQueries(transaction))))
      return results[0] as Awaited<ReturnType<typeof work>>
    },
    migrate: () => Promise.reject(new Error('Migrate it before it is explained')),
    ping: () => Promise.resolve(),
    close: () => client.end(),
  }
}

/** All nodes of a plan. */
export function listNodes(root: PlanNode): PlanNode[] {
  return [root, ...(root.Plans ?? []).flatMap(listNodes)]
}
