import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import type { StripeTaskKind } from '../schema'

/** A pending request to Stripe. */
export type StripeTask = {
  kind: StripeTaskKind
  subject: string
  /** Number of leases, including this one. */
  attempts: number
}

/** Queues a request to Stripe. Changes nothing if the same request is queued already. */
export async function addStripeTask(queries: Queries, { kind, subject }: Omit<StripeTask, 'attempts'>): Promise<void> {
  await queries.rows(sql`insert into stripe_tasks (kind, subject) values (${kind}, ${subject}) on conflict do nothing`)
}

/** Leases the task that has been due the longest. Other instances don't get it until the lease expires. */
export async function takeStripeTask(
  queries: Queries,
  { leaseMs }: { leaseMs: number },
): Promise<StripeTask | undefined> {
  const [task] = await queries.rows<StripeTask>(sql`
    with due as (
      select kind, subject from stripe_tasks where due_at <= clock_timestamp() order by due_at limit 1
        for update skip locked
    )
    update stripe_tasks set attempts = attempts + 1,
      due_at = clock_timestamp() + ${leaseMs}::double precision * interval '1 millisecond'
    from due where stripe_tasks.kind = due.kind and stripe_tasks.subject = due.subject
    returning stripe_tasks.kind, stripe_tasks.subject, stripe_tasks.attempts`)
  return task
}

/** Delays a task that failed. */
export async function delayStripeTask(queries: Queries, { kind, subject }: StripeTask, delayMs: number): Promise<void> {
  await queries.rows(sql`
    update stripe_tasks set due_at = clock_timestamp() + ${delayMs}::double precision * interval '1 millisecond'
    where kind = ${kind} and subject = ${subject}`)
}

/** Deletes a finished task. */
export async function removeStripeTask(
  queries: Queries,
  { kind, subject }: Pick<StripeTask, 'kind' | 'subject'>,
): Promise<void> {
  await queries.rows(sql`delete from stripe_tasks where kind = ${kind} and subject = ${subject}`)
}
