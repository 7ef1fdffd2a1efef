import { randomBytes } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'

interface SecuritySettings {
  /** Whether the site is only reachable through HTTPS, so that browsers can be told to insist on it. */
  isHttps: boolean
  /** Next's development mode compiles with eval and talks to its server over a web socket. */
  dev: boolean
}

const API_POLICY = "default-src 'none'; frame-ancestors 'none'"

/**
 * Returns the headers of every response. The policy of a page contains a fresh nonce, which Next.js uses for its own
 * scripts.
 */
export function writeSecurityHeaders(
  path: string,
  { isHttps, dev }: SecuritySettings,
): OutgoingHttpHeaders & { 'Content-Security-Policy': string } {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': choosePolicy(path, dev),
    ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

function choosePolicy(path: string, dev: boolean): string {
  if (path.startsWith('/_next/static/')) return writeScriptPolicy(dev)
  return /^\/(api|mcp|_next)(\/|$)/.test(path) ? API_POLICY : writePagePolicy(randomBytes(16).toString('base64'), dev)
}

/** A worker uses the policy of its own script. The preview worker compiles WebAssembly, which pages may not. */
function writeScriptPolicy(dev: boolean): string {
  return (
    `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'${dev ? " 'unsafe-eval'" : ''}; connect-src 'self'; ` +
    `frame-ancestors 'none'`
  )
}

function writePagePolicy(nonce: string, dev: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    "frame-src 'self' blob:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self' https://github.com https://accounts.google.com", // Targets of redirects after a sign-in form.
    "frame-ancestors 'none'",
  ].join('; ')
}
