import { readFileSync } from 'node:fs'

/** Keys of `const variables = z.object({ … })` in lib/config.ts. */
const [, declared = ''] =
  /const variables = z\.object\(\{([^]*?)\n\}\)/.exec(readFileSync('lib/config.ts', 'utf8')) ?? []
const names = new Set([...declared.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name))

/** Every variable that the service reads. */
export function listVariables(): string[] {
  return [...names].filter(name => name !== undefined)
}

/** Returns whether the service reads a variable, or OpenTelemetry does if traces are enabled. */
export function isRead(name: string): boolean {
  return names.has(name) || name.startsWith('OTEL_')
}
