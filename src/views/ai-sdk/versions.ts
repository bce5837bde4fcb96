/** The middleware for each major of the AI SDK. The versions differ in what it is called, not in what it does. */

import { createMethods, type ToolMiddlewareMethods, type ToolMiddlewareOptions } from './middleware.ts'

/** For `ai@5`. */
export interface ToolMiddlewareV2 extends ToolMiddlewareMethods {
  readonly middlewareVersion: 'v2'
}
/** For `ai@6`. */
export interface ToolMiddlewareV3 extends ToolMiddlewareMethods {
  readonly specificationVersion: 'v3'
}
/** For `ai@7`. */
export interface ToolMiddlewareV4 extends ToolMiddlewareMethods {
  readonly specificationVersion: 'v4'
}

/** For any of them. No word is the name of two versions, so the type of this one fits every name. */
export interface ToolMiddleware extends ToolMiddlewareMethods {
  readonly middlewareVersion: 'v2'
  readonly specificationVersion: never
}

/** The middleware for version 2 of the AI SDK's provider interface, which `ai` 5 uses. */
export function createToolMiddlewareV2(options: ToolMiddlewareOptions): ToolMiddlewareV2 {
  return { middlewareVersion: 'v2', ...createMethods(options) }
}

/** The middleware for version 3 of the AI SDK's provider interface, which `ai` 6 uses. */
export function createToolMiddlewareV3(options: ToolMiddlewareOptions): ToolMiddlewareV3 {
  return { specificationVersion: 'v3', ...createMethods(options) }
}

/** The middleware for version 4 of the AI SDK's provider interface, which `ai` 7 uses. */
export function createToolMiddlewareV4(options: ToolMiddlewareOptions): ToolMiddlewareV4 {
  return { specificationVersion: 'v4', ...createMethods(options) }
}

/**
 * Tool calls for a model that has none, in whichever major of the AI SDK it is used.
 *
 *     wrapLanguageModel({ model, middleware: createToolMiddleware({ dialect: hermes }) })
 */
export function createToolMiddleware(options: ToolMiddlewareOptions): ToolMiddleware {
  return { middlewareVersion: 'v2', specificationVersion: 'v4' as never, ...createMethods(options) }
}
