import type { LanguageModelMiddleware as Middleware5, StreamTextTransform as Transform5 } from 'ai5'
import type { LanguageModelMiddleware as Middleware6, StreamTextTransform as Transform6 } from 'ai6'
import type { LanguageModelMiddleware as Middleware7, StreamTextTransform as Transform7 } from 'ai7'
import type { LanguageModelV2Middleware, SharedV2ProviderOptions } from 'provider-v2'
import type { LanguageModelV3Middleware, SharedV3ProviderOptions } from 'provider-v3'
import type { LanguageModelV4Middleware, SharedV4ProviderOptions } from 'provider-v4'
import {
  createToolMiddleware,
  createToolMiddlewareV2,
  createToolMiddlewareV3,
  createToolMiddlewareV4,
  hermesMiddleware,
  requestOptions,
  sluiceTransform,
} from 'sluice/ai-sdk'
import { hermes } from 'sluice/dialects'
import { expect, test } from 'vitest'

// The compiler is the one who tests here; what runs only shows that there is something to assign.

test('each version is what its major of the provider package declares', () => {
  const v2: LanguageModelV2Middleware = createToolMiddlewareV2({ dialect: hermes })
  const v3: LanguageModelV3Middleware = createToolMiddlewareV3({ dialect: hermes })
  const v4: LanguageModelV4Middleware = createToolMiddlewareV4({ dialect: hermes })
  expect(v2.middlewareVersion).toBe('v2')
  expect(v3.specificationVersion).toBe('v3')
  expect(v4.specificationVersion).toBe('v4')
})

test('one middleware is accepted by every major of the AI SDK', () => {
  const five: Middleware5 = hermesMiddleware
  const six: Middleware6 = hermesMiddleware
  const seven: Middleware7 = createToolMiddleware({ dialect: hermes })
  for (const middleware of [five, six, seven])
    expect([middleware.transformParams, middleware.wrapGenerate, middleware.wrapStream]).toEqual([
      expect.any(Function),
      expect.any(Function),
      expect.any(Function),
    ])
})

test('a version is not accepted by another major', () => {
  // @ts-expect-error V3 is not V4.
  const v4: LanguageModelV4Middleware = createToolMiddlewareV3({ dialect: hermes })
  // @ts-expect-error V4 is not V3.
  const v3: LanguageModelV3Middleware = createToolMiddlewareV4({ dialect: hermes })
  expect([v3.specificationVersion, v4.specificationVersion]).toEqual(['v4', 'v3'])
})

test('a transform is accepted by streamText of every major', () => {
  const five: Transform5<Record<string, never>> = sluiceTransform({ dialect: hermes })
  const six: Transform6<Record<string, never>> = sluiceTransform({ dialect: hermes })
  const seven: Transform7<Record<string, never>> = sluiceTransform({ dialect: hermes })
  expect([five, six, seven]).toEqual([expect.any(Function), expect.any(Function), expect.any(Function)])
})

test('options of a request are options for providers in every major', () => {
  const options = requestOptions({ onError: () => {} })
  const all: [SharedV2ProviderOptions, SharedV3ProviderOptions, SharedV4ProviderOptions] = [
    options,
    options,
    options,
  ]
  for (const { toolCallMiddleware } of all)
    expect(toolCallMiddleware).toEqual({ onError: expect.any(Function) })
})
