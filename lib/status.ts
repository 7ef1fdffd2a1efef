import { MONTHLY_CREDITS } from './credits/ledger'
import type { Health } from './health'

/** How well a part works. */
export type State = 'ok' | 'degraded' | 'unavailable'

/** A part of the server, and what its state means. */
export interface StatusPart {
  name: string
  state: State
  /** One or two sentences. */
  text: string
}

/** The state of the server in plain words. */
export interface ServerStatus {
  overall: Omit<StatusPart, 'name'>
  parts: StatusPart[]
  version: string
}

/** Describes what the state of this process means for people who send requests. */
export function describeStatus(health: Health): ServerStatus {
  const parts = {
    database: describeDatabase(health),
    engines: describeEngines(health),
    browser: describeBrowser(health),
    sandbox: describeSandbox(health),
    age: describeAge(health),
    requests: describeRequests(health),
  }
  const shown = [...Object.values(parts), ...describeGrants(health)]
  return { overall: describeOverall(health, parts), parts: shown, version: health.version }
}

/** Judges what requests can expect. Without a sandbox or with an old browser, web pages are less safe, but work. */
function describeOverall(
  { status }: Health,
  { database, engines, browser }: Record<'database' | 'engines' | 'browser', StatusPart>,
): ServerStatus['overall'] {
  if (status === 'draining')
    return { state: 'degraded', text: 'This server is shutting down. Running requests still finish.' }
  if (database.state === 'unavailable' || engines.state === 'unavailable')
    return { state: 'unavailable', text: 'Requests fail at the moment. A failed request costs nothing.' }
  if (browser.state === 'unavailable')
    return { state: 'degraded', text: 'Web pages cannot be converted at the moment. All other endpoints work.' }
  if (engines.state === 'degraded' || browser.state === 'degraded')
    return { state: 'degraded', text: 'All endpoints work, but some requests wait until everything has started.' }
  return { state: 'ok', text: 'All endpoints work.' }
}

function describeDatabase({ database }: Health): StatusPart {
  const name = 'Database'
  return database === 'ok'
    ? { name, state: 'ok', text: 'The database responds.' }
    : { name, state: 'unavailable', text: 'The database does not respond. Requests and sign-in fail until it is back.' }
}

function describeEngines({ engines }: Health): StatusPart {
  const name = 'Engines'
  if (engines === 'not started')
    return { name, state: 'unavailable', text: 'The engines are starting. Requests fail until they are ready.' }
  if (engines.processes === 0)
    return { name, state: 'degraded', text: 'No engine is ready. Requests wait until one has started.' }
  const { processes, busy } = engines
  return { name, state: 'ok', text: `The engines are ready. Idle: ${processes - busy}. Busy: ${busy}.` }
}

function describeBrowser({ browser }: Health): StatusPart {
  const name = 'Browser'
  if (browser === 'not started' || browser.state === 'starting')
    return { name, state: 'degraded', text: 'The browser is starting. Requests for web pages wait until it is ready.' }
  if (browser.state === 'unavailable')
    return {
      name,
      state: 'unavailable',
      text: 'The browser could not be started. Web pages cannot be converted. Sheaf keeps trying to start it.',
    }
  return { name, state: 'ok', text: `The browser is ready. Web pages in progress: ${browser.running}.` }
}

function describeSandbox({ browser }: Health): StatusPart {
  const name = 'Browser sandbox'
  if (browser === 'not started' || browser.state !== 'ready')
    return { name, state: 'degraded', text: 'The sandbox starts with the browser.' }
  if (browser.sandbox === undefined)
    return {
      name,
      state: 'degraded',
      text: 'The browser runs on another machine and does not tell whether it has a sandbox.',
    }
  return browser.sandbox
    ? { name, state: 'ok', text: 'Web pages run in the sandbox of the browser.' }
    : {
        name,
        state: 'degraded',
        text: 'The browser runs without its sandbox. Web pages work, isolated by separate processes only.',
      }
}

function describeAge({ browser }: Health): StatusPart {
  const name = 'Browser age'
  if (browser === 'not started' || browser.state !== 'ready')
    return { name, state: 'degraded', text: 'The age is known when the browser has started.' }
  if (browser.outdated === undefined)
    return { name, state: 'degraded', text: 'The version of the browser does not tell its age.' }
  return browser.outdated
    ? {
        name,
        state: 'degraded',
        text:
          'The version of the browser is older than 90 days. Web pages work, but can use security bugs that newer ' +
          'versions fix. The operator must update the browser.',
      }
    : { name, state: 'ok', text: 'The version of the browser is at most 90 days old.' }
}

function describeRequests({ calls: { running, waiting } }: Health): StatusPart {
  return { name: 'Requests', state: 'ok', text: `Running: ${running}. Waiting for a free slot: ${waiting}.` }
}

/** Describes the operator's daily cap on free credits, if there is one. */
function describeGrants({ grants }: Health): StatusPart[] {
  if (grants === undefined) return []
  const { today, cap } = grants
  const given = `Given today: ${today.toLocaleString('en')} of ${cap.toLocaleString('en')}.`
  const isFull = today + MONTHLY_CREDITS > cap
  const text = isFull ? `${given} Further accounts get their free credits on a later day.` : given
  return [{ name: 'Free credits', state: isFull ? 'degraded' : 'ok', text }]
}
