import { sql } from 'drizzle-orm'
import type { Queries } from '../database'
import type { StripeTaskKind } from '../schema'

/** Something that Stripe is still to be asked for. */
export type StripeTask = {
  kind: StripeTaskKind
  subject: string
  /** How often it was taken, this time too. */
  attempts: number
}

/** Leaves something to be asked of Stripe; nothing changes where it is left already. */
export async function addStripeTask(queries: Queries, { kind, subject }: Omit<StripeTask, 'attempts'>): Promise<void> {
  await queries.rows(sql`insert into stripe_tasks (kind, subject) values (${kind}, ${subject}) on conflict do nothing`)
}

/** Takes the task that is due the longest; nobody else gets it until the lease has run out. */
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

/** Puts a task off that could not be done. */
export async function delayStripeTask(queries: Queries, { kind, subject }: StripeTask, delayMs: number): Promise<void> {
  await queries.rows(sql`
    update stripe_tasks set due_at = clock_timestamp() + ${delayMs}::double precision * interval '1 millisecond'
    where kind = ${kind} and subject = ${subject}`)
}

/** Forgets a task that is done. */
export async function removeStripeTask(
  queries: Queries,
  { kind, subject }: Pick<StripeTask, 'kind' | 'subject'>,
): Promise<void> {
  await queries.rows(sql`delete from stripe_tasks where kind = ${kind} and subject = ${subject}`)
}
