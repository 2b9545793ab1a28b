import { describe, expect, it } from 'vitest';
import { RepeatedCallGuard } from './repeated-call.guard.js';

describe('RepeatedCallGuard', () => {
  const repeated = (guard: RepeatedCallGuard, times: number): void => {
    for (let i = 0; i < times; i++) guard.record('ping', '{}', 'pong');
  };

  it('lets as many equal calls through as its limit', () => {
    const guard = new RepeatedCallGuard(3);
    repeated(guard, 2);
    expect(guard.repeats('ping', '{}')).toBe(0);
    repeated(guard, 1);
    expect(guard.repeats('ping', '{}')).toBe(3);
  });

  it('does not take polling for a loop', () => {
    const guard = new RepeatedCallGuard(3);
    for (let i = 0; i < 10; i++) guard.record('status', '{}', `${i} %`);
    expect(guard.repeats('status', '{}')).toBe(0);
  });

  it('starts anew with other arguments', () => {
    const guard = new RepeatedCallGuard(2);
    repeated(guard, 2);
    guard.record('ping', '{"n":1}', 'pong');
    expect(guard.repeats('ping', '{}')).toBe(0);
  });

  it('says that the model was told only from the next turn on', () => {
    const guard = new RepeatedCallGuard(1);
    repeated(guard, 1);
    expect(guard.tell('ping', 2)).toBe(false);
    guard.record('ping', '{}', 'a notice');
    expect(guard.tell('ping', 2)).toBe(false);
    expect(guard.repeats('ping', '{}')).toBe(1);
    expect(guard.tell('ping', 3)).toBe(true);
  });

  it('is off with a limit of 0', () => {
    const guard = new RepeatedCallGuard(0);
    repeated(guard, 50);
    expect(guard.repeats('ping', '{}')).toBe(0);
  });

  it('keeps tools apart, also those named like members of objects', () => {
    const guard = new RepeatedCallGuard(1);
    repeated(guard, 1);
    expect(guard.repeats('constructor', '{}')).toBe(0);
  });
});
