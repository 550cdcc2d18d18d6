import type { AnswerForm, Method } from '../forms.ts'
import type { Route } from './route.ts'

/** A route whose type tells its method and the form of its response, if that is streamed. */
type TypedRoute<Kind> = Route & {
  readonly method: Kind extends `${infer M extends Method} ${string}` | (infer M extends Method) ? M : never
  readonly answer?: Kind extends `${Method} ${infer A extends AnswerForm}` ? A : never
}

/** The routes of a table of operations: those of a group, by their kind. */
export type TypedRoutes<Kinds> = {
  readonly [G in keyof Kinds]: {
    readonly [K in keyof Kinds[G] as Kinds[G][K] & string]: TypedRoute<K>
  }
}
