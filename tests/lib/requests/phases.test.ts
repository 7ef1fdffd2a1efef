import { describe, expect, it } from 'vitest'
import { describePhases, PHASES } from '../../../lib/requests/phases'

type MeasuredRequest = Parameters<typeof describePhases>[0]

/** Phases that were reached, in tenths of a millisecond. */
const reached = (call: Partial<MeasuredRequest>, endedAtMs: number) =>
  Object.fromEntries(
    describePhases({ receivedAtMs: 1000, timings: {}, startedAtMs: {}, ...call }, endedAtMs)
      .map((tenths, index) => [PHASES[index], tenths])
      .filter(([, tenths]) => tenths !== null),
  )

const STARTS = { auth: 1001, body: 1005, parse: 1025, wait: 1027, charge: 1057 }
const TIMINGS = { auth: 1, body: 20, parse: 1, wait: 20, charge: 3 }

describe('the phases of a request', () => {
  it('follow each other without gaps, from the headers of the request to the end of the response', () => {
    const call = {
      startedAtMs: STARTS,
      timings: { ...TIMINGS, queue: 0, send: 2, open: 5, work: 30.06, save: 4 },
      ran: { startedAtMs: 1060, ms: 45 },
      engineMs: 39,
      respondingAtMs: 1106,
    }
    expect(reached(call, 1110)).toEqual({
      auth: 50,
      body: 200,
      parse: 20,
      wait: 200,
      charge: 130,
      queue: 0,
      send: 20,
      open: 50,
      work: 301,
      save: 40,
      rest: 49,
      response: 40,
    })
  })

  it('of a web page begin with those of the browser', () => {
    const call = {
      startedAtMs: STARTS,
      timings: {
        ...TIMINGS,
        context: 10,
        load: 100,
        settle: 0,
        print: 20,
        queue: 1,
        send: 1,
        open: 1,
        work: 1,
        save: 1,
      },
      ran: { startedAtMs: 1060, ms: 140 },
      engineMs: 133,
      respondingAtMs: 1200,
    }
    const phases = reached(call, 1201)
    expect(phases).toMatchObject({ context: 100, load: 1000, settle: 0, print: 200, save: 10, rest: 50, response: 10 })
    expect(Object.values(phases).reduce((sum: number, tenths) => sum + Number(tenths), 0)).toBe(2010)
  })

  it('of failed work have one phase for the work, and one for the error', () => {
    const call = { startedAtMs: STARTS, timings: TIMINGS, ran: { startedAtMs: 1060, ms: 100 }, respondingAtMs: 1170 }
    expect(reached(call, 1171)).toMatchObject({ charge: 130, run: 1000, rest: 100, response: 10 })
  })

  it('end where a request was rejected', () => {
    const call = { startedAtMs: { auth: 1001 }, timings: { auth: 1 }, respondingAtMs: 1003 }
    expect(reached(call, 1003.5)).toEqual({ auth: 20, rest: 10, response: 5 })
  })

  it('have no response if the client closed the connection', () => {
    const call = { startedAtMs: STARTS, timings: { ...TIMINGS, charge: 3 }, ran: { startedAtMs: 1060, ms: 10 } }
    expect(reached(call, 1080)).toMatchObject({ run: 100, rest: 100 })
    expect(reached(call, 1080)).not.toHaveProperty('response')
  })

  it('are never negative, even if measurements of two processes disagree', () => {
    const call = {
      startedAtMs: STARTS,
      timings: { ...TIMINGS, open: 5, work: 90 },
      ran: { startedAtMs: 1060, ms: 45 },
      engineMs: 95,
      respondingAtMs: 1106,
    }
    expect(reached(call, 1110)).toMatchObject({ open: 50, work: 450, rest: 0, response: 0 })
  })

  it('keep their positions, because rows of the log have no names', () => {
    expect(PHASES.join(' ')).toBe(
      'auth body parse wait charge context load settle print queue send open work save run rest response fetch',
    )
  })
})
