import { setTimeout as wait } from 'node:timers/promises'
import type { Exchange, Reaction } from '../../workflow/engine.ts'
import type { Location } from './location.ts'

/** When the service is killed: what an engine has done by then of a request, or what it tells. */
export const moments = ['asked', 'taken', 'answering', 'answered', 'recorded', 'held', 'told'] as const

/** One of them. */
export type Moment = (typeof moments)[number]

/** Says when the next kill comes. */
export interface Aim {
  /** The moment that comes next, once enough happened since the last kill. Null: none yet. */
  next(): Moment | null
  /** Kills the service at a moment that came. */
  strike(moment: Moment): void
}

/** Aims at some moments in turn, with some actions between two kills. */
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

/** What an engine tells of a package that it was just asked about; resolves when that was acknowledged, or the service was killed. */
export type NotifyMeanwhile = (exchange: Exchange) => Promise<void>

/** An engine that takes and answers everything, and kills who asked at the moment that is aimed at. */
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

/** What cannot be taken is answered with, and nobody is killed for it. */
async function strikeOr(exchange: Exchange, strike: () => Promise<unknown>): Promise<void> {
  try {
    await strike()
  } catch {
    exchange.answer()
  }
}

type Strike = (exchange: Exchange, kill: () => void, notify: NotifyMeanwhile) => unknown

/** The longest answer takes less than this from the socket to the disk. */
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
    // What is told after an end has no effect.
    if (status === 'active') await notify(exchange)
    kill()
    exchange.answer()
  },
}
