// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions } from '../call.ts'
import type { JsonValue } from '../json-value.ts'
import type { Proxied } from '../proxied.ts'
import type { ListOf } from './lists.ts'

/** The operations of `ai`. Language models: chat, embeddings, and proposals for items. */
export interface AiApi {
  /**
   * List language model services.
   *
   * `GET /api/ai`.
   * Permission: `ai.use`.
   *
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly providers: (input?: AiProvidersInput, options?: CallOptions) => Promise<ListOf<AiProvider>>

  /**
   * Ask a language model.
   *
   * Any other members that an OpenAI-compatible service accepts can be added to those below and are
   * sent to it unchanged. Its response is returned unchanged, with its status; the header
   * `Quire-Upstream-Status` marks it as the response of the upstream. With `stream: true` the response
   * is a stream of events (Server-Sent Events).
   *
   * `POST /api/ai/{accessId}/chat/completions`.
   * Permission: `ai.use`.
   *
   * @param input.accessId - The access configuration of type `openai`.
   * @param input.model - The model. Default: `model` of the access configuration.
   * @param input.messages - The conversation so far.
   * @param input.stream - Whether the response is streamed as events.
   * @throws `not_found` - Not found.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `upstream_failed` - The upstream did not send a usable response.
   * @throws `upstream_timeout` - The upstream did not respond in time.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `budget_exceeded`, `internal`,
   *   `unavailable`, `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly chat: (input: AiChatInput, options?: CallOptions) => Promise<Proxied>

  /**
   * Turn texts into vectors.
   *
   * Any other members that an OpenAI-compatible service accepts can be added to those below and are
   * sent to it unchanged. Its response is returned unchanged, with its status; the header
   * `Quire-Upstream-Status` marks it as the response of the upstream.
   *
   * `POST /api/ai/{accessId}/embeddings`.
   * Permission: `ai.use`.
   *
   * @param input.accessId - The access configuration of type `openai`.
   * @param input.model - The model. Default: `model` of the access configuration.
   * @param input.input - A text, a list of texts, or lists of tokens.
   * @throws `not_found` - Not found.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `upstream_failed` - The upstream did not send a usable response.
   * @throws `upstream_timeout` - The upstream did not respond in time.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `budget_exceeded`, `internal`,
   *   `unavailable`, `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly embeddings: (input: AiEmbeddingsInput, options?: CallOptions) => Promise<Proxied>

  /**
   * List the models of a service.
   *
   * `GET /api/ai/{accessId}/models`.
   * Permission: `ai.use`.
   *
   * @param input.accessId - The access configuration of type `openai`.
   * @throws `not_found` - Not found.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `upstream_failed` - The upstream did not send a usable response.
   * @throws `upstream_timeout` - The upstream did not respond in time.
   * @throws `invalid`, `unauthorized`, `forbidden`, `budget_exceeded`, `internal`, `unavailable` - As
   *   every operation of its kind.
   */
  readonly models: (input: AiModelsInput, options?: CallOptions) => Promise<Proxied>

  /**
   * Get a proposal of a language model for an item.
   *
   * The model receives only what the caller may read of the item, and its answer is checked. Nothing
   * is saved, so use the proposal to save the item yourself; except that `translate` into a locale of
   * the repository with `packageName` saves the translation in that package, for people to review.
   * `alt-text` is for pictures, which are sent to the model at medium size.
   *
   * `POST /api/ai/{accessId}/tasks/{task}`.
   * Permission: `ai.use`.
   *
   * @param input.accessId - The access configuration of type `openai`.
   * @param input.task - The task.
   * @param input.repositoryId - A repository's id or name.
   * @param input.itemId - The item.
   * @param input.packageName - Work on the branch of this package instead of on main.
   * @param input.model - The model. Default: `model` of the access configuration.
   * @param input.language - Language of the proposal, as a tag: `de`, `pt-BR`. Required for
   *   `translate`.
   * @param input.taxonomyId - The taxonomy whose categories `suggest-categories` chooses from;
   *   required for it.
   * @throws `not_found` - Not found.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `upstream_failed` - The upstream did not send a usable response.
   * @throws `upstream_timeout` - The upstream did not respond in time.
   * @throws `too_large` - The request is too large.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `invalid`, `unauthorized`, `forbidden`, `budget_exceeded`, `internal`, `unavailable`,
   *   `no_room`, `quota_exceeded` - As every operation of its kind.
   */
  readonly task: (input: AiTaskInput, options?: CallOptions) => Promise<AiProposal>
}

/** A language model service that can be used */
export interface AiProvider {
  /** Id of the access configuration, for use in paths */
  id: string
  /** A name for people, 1 to 200 characters */
  name: string
  /** The default model of tasks; null: a task must name one */
  model: string | null
}

/** A proposal of a language model for an item */
export interface AiProposal {
  /** The task */
  task: 'summarize' | 'translate' | 'suggest-categories' | 'alt-text'
  /** Id of the item */
  itemId: string
  /** The version of the item that was sent to the model */
  version: number
  /** The model that was used */
  model: string
  /** For `summarize` */
  summary?: string | undefined
  /** For `alt-text` */
  altText?: string | undefined
  /** For `translate` */
  name?: string | undefined
  /** For `translate` */
  description?: string | undefined
  /**
   * For `translate`: the texts of the custom fields, by name. In a locale of the repository: those of
   * localized fields that are missing or outdated, by path such as `body.0.text`
   */
  fields?: Record<string, string> | undefined
  /** For `translate` with `packageName`: the version in the package that has the texts */
  savedVersion?: number | undefined
  /** For `suggest-categories`: the best first */
  categories?: {
    /** An id, as answered by the operation that created it */
    id: string
    /** Name of the category */
    name: string
  }[] | undefined
}

/** The input of `ai.providers` */
export interface AiProvidersInput {
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
}

/** The input of `ai.chat` */
export type AiChatInput = {
  /** The access configuration of type `openai` */
  accessId: string
  /** The model. Default: `model` of the access configuration */
  model?: string | undefined
  /** The conversation so far */
  messages: Record<string, JsonValue>[]
  /** Whether the response is streamed as events */
  stream?: boolean | null | undefined
} & { [name: string]: JsonValue }

/** The input of `ai.embeddings` */
export type AiEmbeddingsInput = {
  /** The access configuration of type `openai` */
  accessId: string
  /** The model. Default: `model` of the access configuration */
  model?: string | undefined
  /** A text, a list of texts, or lists of tokens */
  input: string | JsonValue[]
} & { [name: string]: JsonValue }

/** The input of `ai.models` */
export interface AiModelsInput {
  /** The access configuration of type `openai` */
  accessId: string
}

/** The input of `ai.task` */
export interface AiTaskInput {
  /** The access configuration of type `openai` */
  accessId: string
  /** The task */
  task: 'summarize' | 'translate' | 'suggest-categories' | 'alt-text'
  /** A repository's id or name */
  repositoryId: string
  /** The item */
  itemId: string
  /** Work on the branch of this package instead of on main */
  packageName?: string | undefined
  /** The model. Default: `model` of the access configuration */
  model?: string | undefined
  /** Language of the proposal, as a tag: `de`, `pt-BR`. Required for `translate` */
  language?: string | undefined
  /** The taxonomy whose categories `suggest-categories` chooses from; required for it */
  taxonomyId?: string | undefined
}
