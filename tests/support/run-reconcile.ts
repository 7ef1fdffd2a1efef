import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** The output of the command, and its exit code. */
export interface ReconcileReport {
  code: number | null
  found: Record<string, unknown>
}

/** Runs `npm run reconcile` on the data of a service, with the variables `env` of its Stripe double. */
export async function runReconcile(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined },
  env: Record<string, string>,
): Promise<ReconcileReport> {
  const own = {
    NODE_ENV: 'production' as const,
    NODE_OPTIONS: undefined,
    VITEST: undefined,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
  }
  const child = spawn(process.execPath, ['lib/commands/reconcile.mjs', '--days', '2'], {
    env: { ...process.env, ...env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>])
  return { code, found: JSON.parse(printed) as Record<string, unknown> }
}
