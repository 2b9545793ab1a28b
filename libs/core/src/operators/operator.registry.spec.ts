import { describe, expect, it } from 'vitest';
import { DuplicateOperatorException } from '../errors/duplicate-operator.exception.js';
import { UnknownOperatorException } from '../errors/unknown-operator.exception.js';
import type { Operator } from './operator.js';
import { OperatorRegistry } from './operator.registry.js';

const echo: Operator = { execute: (input) => input };

describe('OperatorRegistry', () => {
  it('gives operators by name, in order of registration', () => {
    const other: Operator = { execute: () => 1 };
    const registry = OperatorRegistry.builder().register('b', echo).register('a', other).build();
    expect(registry.names()).toEqual(['b', 'a']);
    expect(registry.get('b')).toBe(echo);
    expect(registry.get('a')).toBe(other);
    expect([registry.has('a'), registry.has('c')]).toEqual([true, false]);
  });

  it('completes metadata with defaults, the registration winning over the operator', () => {
    const operator: Operator = {
      metadata: { description: 'own', tags: ['x'], name: 'ignored' },
      execute: () => 1,
    };
    const registry = new OperatorRegistry().register('pay', operator, {
      description: 'given',
      effect: 'idempotent',
    });
    expect(registry.metadata('pay')).toEqual({
      name: 'pay',
      description: 'given',
      input: null,
      output: null,
      tags: ['x'],
      effect: 'idempotent',
      approval: false,
      kind: 'tool',
    });
    expect(Object.isFrozen(registry.metadata('pay'))).toBe(true);
    expect(new OperatorRegistry().register('echo', echo).metadata('echo').effect).toBe('at-most-once');
  });

  it('refuses a name twice and keeps the first', () => {
    const registry = new OperatorRegistry().register('echo', echo);
    expect(() => registry.register('echo', { execute: () => 2 })).toThrow(DuplicateOperatorException);
    expect(registry.get('echo')).toBe(echo);
  });

  it('names the known operators and the nearest for an unknown one', () => {
    const registry = new OperatorRegistry().register('searchKb', echo).register('escalate', echo);
    for (const look of [() => registry.get('serchKb'), () => registry.metadata('serchKb')]) {
      expect(look).toThrow(UnknownOperatorException);
      expect(look).toThrow(
        'Unknown operator "serchKb": it is not registered. Known operators: searchKb, escalate. Did you mean "searchKb"?',
      );
    }
  });

  it.each(['constructor', '__proto__', 'hasOwnProperty', 'toString'])('B171: does not know %s', (name) => {
    const registry = new OperatorRegistry().register('echo', echo);
    expect(registry.has(name)).toBe(false);
    expect(() => registry.get(name)).toThrow(UnknownOperatorException);
    expect(() => registry.metadata(name)).toThrow(UnknownOperatorException);
    registry.register(name, echo);
    expect(registry.get(name)).toBe(echo);
    expect(registry.names()).toEqual(['echo', name]);
  });
});
