import { setTimeout as wait } from 'node:timers/promises'
import type { Exchange, Reaction } from '../../workflow/engine.ts'
import type { Location } from './location.ts'

/** When the service is killed: a stage of a request to the engine, or of a callback from it. */
export const moments = ['asked', 'taken', 'answering', 'answered', 'recorded', 'held', 'told'] as const

export type Moment = (typeof moments)[number]

/** Decides when the next kill happens. */
export interface Aim {
  /** The moment of the next kill; null if too little has happened since the last one. */
  next(): Moment | null
  /** Kills the service at this moment. */
  strike(moment: Moment): void
}

/** Kills at the given moments in rotation, with some actions between two kills. */
export function takeAim(location: Location, wanted: readonly Moment[]): Aim {
  let left = 3
  const moment = (): Moment => wanted[location.kills() % wanted.length] ?? 'taken'
  return {
    next: () => (--left <= 0 && !location.isSpent() ? moment() : null),
    strike(come) {
      if (moment() === come && location.kill()) left = 2 + Math.floor(Math.random() * 6)
    },
  }
}

/**
 * Sends a callback about the package of a current request. Resolves when it was acknowledged or the
 * service was killed.
 */
export type NotifyMeanwhile = (exchange: Exchange) => Promise<void>

/**
 * An engine that accepts and answers everything, and kills the service at the moment that is next.
 */
export function killingBy(aim: Aim, notifyMeanwhile: NotifyMeanwhile): Reaction {
  return (exchange) => {
    const moment = aim.next()
    if (moment === null || moment === 'told') exchange.answer()
    else
      void strikeOr(exchange, async () =>
        strikeAt[moment](exchange, () => aim.strike(moment), notifyMeanwhile),
      )
  }
}

/** Answers a request that must be rejected without killing the service. */
async function strikeOr(exchange: Exchange, strike: () => Promise<unknown>): Promise<void> {
  try {
    await strike()
  } catch {
    exchange.answer()
  }
}

type Strike = (exchange: Exchange, kill: () => void, notify: NotifyMeanwhile) => unknown

/** Every answer takes less than this from the socket to the disk, in ms. */
const recordedMs = 12

const strikeAt: Readonly<Record<Exclude<Moment, 'told'>, Strike>> = {
  asked: (_exchange, kill) => kill(),
  taken(exchange, kill) {
    exchange.take()
    kill()
  },
  answering({ response, take }, kill) {
    const text = JSON.stringify(take())
    response.writeHead(200, { 'content-length': text.length })
    response.write(text.slice(0, text.length / 2), kill)
  },
  answered({ response, take }, kill) {
    response.writeHead(200).end(JSON.stringify(take()), kill)
  },
  async recorded(exchange, kill) {
    exchange.answer()
    await wait(Math.random() * recordedMs)
    kill()
  },
  async held(exchange, kill, notify) {
    const { status } = exchange.take()
    // Callbacks after the end of a process have no effect.
    if (status === 'active') await notify(exchange)
    kill()
    exchange.answer()
  },
}
