import { describe, expect, it } from 'vitest';
import { toolRef } from './tool-ref.js';

describe('toolRef', () => {
  it('is the operator of the same name, as a graph of one node', () => {
    expect(toolRef('search')).toEqual({
      name: 'search',
      operatorRef: 'search',
      description: '',
      graph: { name: 'tool:search', nodes: [{ id: 'search', operatorRef: 'search' }] },
      resultNodeId: 'search',
      toolDefinition: {
        name: 'search',
        description: '',
        parameters: { type: 'object', properties: {}, additionalProperties: false },
      },
      inheritsSchema: true,
    });
  });

  it('takes another operator, a description, a schema and an input', () => {
    const parameters = { type: 'object', properties: { q: { type: 'string' } } };
    const input = (): unknown => ({});
    expect(toolRef('find', { operator: 'KbSearch', description: 'Find it', parameters, input })).toEqual({
      name: 'find',
      operatorRef: 'KbSearch',
      description: 'Find it',
      graph: { name: 'tool:find', nodes: [{ id: 'find', operatorRef: 'KbSearch', input }] },
      resultNodeId: 'find',
      toolDefinition: { name: 'find', description: 'Find it', parameters },
      inheritsSchema: false,
    });
  });

  it('is frozen all the way', () => {
    const ref = toolRef('search');
    for (const part of [ref, ref.graph, ref.graph.nodes, ref.graph.nodes[0], ref.toolDefinition]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});
