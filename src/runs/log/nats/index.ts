/** `sluice/log/nats`: runs in NATS JetStream, for any number of machines. Needs `@nats-io/jetstream` and `@nats-io/transport-node`. */

export { type NatsLogOptions, openNatsLog } from './nats-log.ts'
