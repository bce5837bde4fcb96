import { describe } from 'vitest'
import { check } from './check.ts'

describe('<tool> for any tool', () => {
  check({}, [
    [
      'shows its inside without the closer, which may have white space in it',
      '<tool name="lookup"><term >owl</term ></tool >.',
      [
        'seg_1 tool_call {"tool_name":"lookup"} \'<term >owl</term >\'',
        "seg_2 text '.'",
        'run seg_1 lookup {"term":"owl"}',
      ],
    ],
    [
      'is shown by what is inside it, and its arguments are texts',
      "So <tool name='find'><arguments><word>elk</word><max>5</max></arguments></tool>.",
      [
        "seg_1 text 'So '",
        'seg_2 tool_call {"tool_name":"find"} \'<arguments><word>elk</word><max>5</max></arguments>\'',
        "seg_3 text '.'",
        'run seg_2 find {"word":"elk","max":"5"}',
      ],
    ],
    [
      'needs no element around its arguments',
      '<tool name="find"><arg name="word">elk</arg></tool>',
      [
        'seg_1 tool_call {"tool_name":"find"} \'<arg name="word">elk</arg>\'',
        'run seg_1 find {"word":"elk"}',
      ],
    ],
    [
      'ends where its argument was not closed, and takes no other with it',
      '<tool name="rm"><word>a</tool> and <tool name="rm"><word>b</word></tool>',
      [
        'seg_1 tool_call {"tool_name":"rm"} \'<word>a\' end {"tool_name":"rm","status":"failed","error":"Part of the call was guessed."}',
        "seg_2 text ' and '",
        'seg_3 tool_call {"tool_name":"rm"} \'<word>b</word>\' end {"tool_name":"rm","status":"failed","error":"Part of the call was guessed."}',
      ],
    ],
    [
      'needs no arguments at all',
      '<tool name="now"></tool>',
      ['seg_1 tool_call {"tool_name":"now"} \'\'', 'run seg_1 now {}'],
    ],
    [
      'may close itself',
      'a<tool name="now"/>b',
      ["seg_1 text 'a'", 'seg_2 tool_call {"tool_name":"now"} \'\'', "seg_3 text 'b'", 'run seg_2 now {}'],
    ],
    [
      'is text without a name, in the text around it',
      'x<tool>what</tool>y',
      ["seg_1 text 'x<tool>what</tool>y'"],
    ],
    [
      'may hold a < that begins nothing',
      '<tool name="calc"><arg name="e">1 < 2 && 3 <= 4</arg></tool>',
      [
        'seg_1 tool_call {"tool_name":"calc"} \'<arg name="e">1 < 2 && 3 <= 4</arg>\'',
        'run seg_1 calc {"e":"1 < 2 && 3 <= 4"}',
      ],
    ],
    [
      'numbers its segments together with the text',
      "<tool name='f'><x>1</x></tool>and<tool name='f'><x>2</x></tool>",
      [
        'seg_1 tool_call {"tool_name":"f"} \'<x>1</x>\'',
        "seg_2 text 'and'",
        'seg_3 tool_call {"tool_name":"f"} \'<x>2</x>\'',
        'run seg_1 f {"x":"1"}',
        'run seg_3 f {"x":"2"}',
      ],
    ],
    [
      'keeps the case of a name that is not known',
      '<tool name="FindIt"><x>1</x></tool>',
      ['seg_1 tool_call {"tool_name":"FindIt"} \'<x>1</x>\'', 'run seg_1 FindIt {"x":"1"}'],
    ],
    [
      'reads items as a list',
      '<tool name="f"><arg name="all"><item>p</item><item>q</item></arg></tool>',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<arg name="all"><item>p</item><item>q</item></arg>\'',
        'run seg_1 f {"all":["p","q"]}',
      ],
    ],
    [
      'decodes entities in arguments, once, and shows them as they are',
      '<tool name="f"><arg name="q">x &gt; y &amp;amp; z</arg></tool>',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<arg name="q">x &gt; y &amp;amp; z</arg>\'',
        'run seg_1 f {"q":"x > y &amp; z"}',
      ],
    ],
    [
      'may nest elements of one name',
      '<tool name="f"><arg name="a"><arg name="b">c</arg></arg></tool>',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<arg name="a"><arg name="b">c</arg></arg>\'',
        'run seg_1 f {"a":{"b":"c"}}',
      ],
    ],
    [
      'that holds no arguments fails, and what follows is not lost',
      '<tool name="f">city=Rome</tool> after',
      [
        'seg_1 tool_call {"tool_name":"f"} \'city=Rome\' end {"tool_name":"f","status":"failed","error":"The call of \'f\' holds something that is not an argument."}',
        "seg_2 text ' after'",
      ],
    ],
    [
      'that holds a comment fails, and what follows is not lost',
      '<tool name="f"><!-- x --><x>1</x></tool> after',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<!-- x --><x>1</x>\' end {"tool_name":"f","status":"failed","error":"The call of \'f\' holds something that is not an argument."}',
        "seg_2 text ' after'",
      ],
    ],
    [
      'may have arguments that are called like the parts of a list',
      '<tool name="f"><item>1</item><item>2</item></tool>',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<item>1</item><item>2</item>\'',
        'run seg_1 f {"item":["1","2"]}',
      ],
    ],
    [
      'with two names fails',
      '<tool name="f" name="g"><x>1</x></tool>',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<x>1</x>\' end {"tool_name":"f","status":"failed","error":"The attribute \'name\' appears twice."}',
      ],
    ],
    [
      'with an argument beside its name fails',
      '<tool name="rm" dry_run="true"><path>/</path></tool>',
      [
        'seg_1 tool_call {"tool_name":"rm"} \'<path>/</path>\' end {"tool_name":"rm","status":"failed","error":"The argument \'dry_run\' is an attribute, which this format does not read."}',
      ],
    ],
    [
      'with all its arguments beside its name fails',
      '<tool path="/tmp" name="rm"/>.',
      [
        'seg_1 tool_call {"tool_name":"rm"} \'\' end {"tool_name":"rm","status":"failed","error":"The argument \'path\' is an attribute, which this format does not read."}',
        "seg_2 text '.'",
      ],
    ],
    [
      'takes its closing tag in any case',
      '<tool name="f"><x>1</x></TOOL>.',
      ['seg_1 tool_call {"tool_name":"f"} \'<x>1</x>\'', "seg_2 text '.'", 'run seg_1 f {"x":"1"}'],
    ],
    [
      'that goes wrong in its closing tag fails, and what follows is not lost',
      '<tool name="f"><x>1</x></to </tool>.',
      [
        'seg_1 tool_call {"tool_name":"f"} \'<x>1</x></to \' end {"tool_name":"f","status":"failed","error":"The call of \'f\' holds something that is not an argument."}',
        "seg_2 text '.'",
      ],
    ],
    [
      'is cut off',
      'Hm <tool name="f"><x>1</x></to',
      [
        "seg_1 text 'Hm '",
        'seg_2 tool_call {"tool_name":"f"} \'<x>1</x></to\' end {"tool_name":"f","status":"incomplete"}',
      ],
    ],
  ])
})

describe('<tool> for a tool that has a content', () => {
  check({}, [
    [
      'starts with its path, shows its content alone, and swallows the tags behind it',
      '<tool name="write_file"><arguments><arg name="path">/d/n.md</arg><arg name="content">* N</arg></arguments></tool>end',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/d/n.md"} \'* N\'',
        "seg_2 text 'end'",
        'run seg_1 write_file {"path":"/d/n.md","content":"* N"}',
      ],
    ],
    [
      'is the same with white space between the tags',
      '<tool name="write_file">\n <arguments>\n  <arg name="path">/d/n.md</arg>\n  <arg name="content">* N</arg>\n </arguments>\n</tool>end',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/d/n.md"} \'* N\'',
        "seg_2 text 'end'",
        'run seg_1 write_file {"path":"/d/n.md","content":"* N"}',
      ],
    ],
    [
      'is the same with white space in the tags',
      '<tool name="write_file" ><arguments ><arg name="path" >/d/n.md</arg ><arg name="content">* N</arg ></arguments ></tool >end',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/d/n.md"} \'* N\'',
        "seg_2 text 'end'",
        'run seg_1 write_file {"path":"/d/n.md","content":"* N"}',
      ],
    ],
    [
      'keeps what only begins like its closer',
      '<tool name="write_file"><arg name="path">/d</arg><arg name="content">a</arg  b</arg x</arg > c</arg\n></tool\n>end',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/d"} \'a</arg  b</arg x</arg > c\'',
        "seg_2 text 'end'",
        'run seg_1 write_file {"path":"/d","content":"a</arg  b</arg x</arg > c"}',
      ],
    ],
    [
      'ends where its content was not closed, and takes no other with it',
      '<tool name="write_file"><arg name="path">/a</arg><arg name="content">a</tool>and <tool name="write_file"><arg name="path">/b</arg><arg name="content">b</arg></tool>',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/a"} \'a\' end {"tool_name":"write_file","path":"/a","status":"failed","error":"Part of the call was guessed."}',
        "seg_2 text 'and '",
        'seg_3 write_file {"tool_name":"write_file","path":"/b"} \'b\' end {"tool_name":"write_file","path":"/b","status":"failed","error":"Part of the call was guessed."}',
      ],
    ],
    [
      'keeps the spelling of its name for show, and runs under its own',
      '<tool name="WRITE_file"><arg name="path">  /d/o </arg><arg name="content">o</arg></tool>',
      [
        'seg_1 write_file {"tool_name":"WRITE_file","path":"/d/o"} \'o\'',
        'run seg_1 write_file {"path":"/d/o","content":"o"}',
      ],
    ],
    [
      'drops markers, the white space before the first and one line break after it',
      '<tool name="write_file"><arg name="path">/e</arg><arg name="content">\n  __START_CONTENT__\n\nP</arg>Q\n__END_CONTENT__ \n</arg></tool>R',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/e"} \'\\nP</arg>Q\\n\'',
        "seg_2 text 'R'",
        'run seg_1 write_file {"path":"/e","content":"\\nP</arg>Q\\n"}',
      ],
    ],
    [
      'takes an end marker for content unless the closer follows it',
      '<tool name="write_file"><arg name="path">/e</arg><arg name="content">__START_CONTENT__\nan __END_CONTENT__ in it\n__END_CONTENT__</arg></tool>',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/e"} \'an __END_CONTENT__ in it\\n\'',
        'run seg_1 write_file {"path":"/e","content":"an __END_CONTENT__ in it\\n"}',
      ],
    ],
    [
      'ends without its end marker where everything ends, and drops the line break before that',
      '<tool name="write_file"><arguments><arg name="path">/e</arg><arg name="content">__START_CONTENT__\na</arg>\nb\n</arg>\n</arguments></tool>R',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/e"} \'a</arg>\\nb\'',
        "seg_2 text 'R'",
        'run seg_1 write_file {"path":"/e","content":"a</arg>\\nb"}',
      ],
    ],
    [
      'may be an edit, whose content is a patch with markers of its own',
      '<tool name="edit_file"><arg name="path">/e</arg><arg name="patch">__START_PATCH__\n@@\n-x\n+y\n__END_PATCH__</arg></tool>',
      [
        'seg_1 edit_file {"tool_name":"edit_file","path":"/e"} \'@@\\n-x\\n+y\\n\'',
        'run seg_1 edit_file {"path":"/e","patch":"@@\\n-x\\n+y\\n"}',
      ],
    ],
    [
      'may be a patch under its other name',
      '<tool name="patch_file"><arg name="path">/e</arg><arg name="patch">-x\n</arg></tool>',
      [
        'seg_1 patch_file {"tool_name":"patch_file","path":"/e"} \'-x\\n\'',
        'run seg_1 patch_file {"path":"/e","patch":"-x\\n"}',
      ],
    ],
    [
      'may be a command, whose other arguments are known at the end',
      '<tool name="run_bash"><arguments><arg name="timeout_seconds">9</arg><arg name="command">df</arg></arguments></tool>!',
      [
        'seg_1 run_bash {"tool_name":"run_bash"} \'df\' end {"tool_name":"run_bash","timeout_seconds":9}',
        "seg_2 text '!'",
        'run seg_1 run_bash {"timeout_seconds":9,"command":"df"}',
      ],
    ],
    [
      'counts an attribute before an argument of the same name',
      '<tool name="run_bash" timeout_seconds="3"><arg name="timeout_seconds">9</arg><arg name="command">df</arg></tool>',
      [
        'seg_1 run_bash {"tool_name":"run_bash","timeout_seconds":3} \'df\'',
        'run seg_1 run_bash {"timeout_seconds":3,"command":"df"}',
      ],
    ],
    [
      'reads arguments behind the command, too',
      '<tool name="run_bash"><arg name="command">df</arg><arg name="timeoutSeconds">9</arg></tool>',
      [
        'seg_1 run_bash {"tool_name":"run_bash"} \'df\' end {"tool_name":"run_bash","timeout_seconds":9}',
        'run seg_1 run_bash {"command":"df","timeout_seconds":9}',
      ],
    ],
    [
      'starts with its path even if the content comes first',
      '<tool name="write_file"><arg name="content">c</arg><arg name="path">/last</arg></tool>',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/last"} \'c\'',
        'run seg_1 write_file {"content":"c","path":"/last"}',
      ],
    ],
    [
      'may have no content, and what follows it is not lost',
      '<tool name="write_file"><arg name="path">/e</arg></tool> and more',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/e"} \'\'',
        "seg_2 text ' and more'",
        'run seg_1 write_file {"path":"/e","content":""}',
      ],
    ],
    [
      'that is cut off between markers shows all that came',
      '<tool name="write_file"><arg name="path">/e</arg><arg name="content">__START_CONTENT__\nthe last line\n',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/e"} \'the last line\\n\' end {"tool_name":"write_file","path":"/e","status":"incomplete"}',
      ],
    ],
    [
      'may hold the closer of its own argument',
      '<tool name="write_file"><arg name="path">/x</arg><arg name="content"><arg>a</arg> b</arg></tool>',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/x"} \'<arg>a</arg> b\'',
        'run seg_1 write_file {"path":"/x","content":"<arg>a</arg> b"}',
      ],
    ],
    [
      'whose path never comes fails, and is not run',
      '<tool name="write_file"><arg name="content">c</arg></tool>.',
      [
        'seg_1 write_file {"tool_name":"write_file"} \'c\' end {"tool_name":"write_file","status":"failed","error":"The argument \'path\' is missing."}',
        "seg_2 text '.'",
      ],
    ],
    [
      'that holds something else fails, and what follows is not lost',
      '<tool name="run_bash">ls -la</tool> IMPORTANT',
      [
        'seg_1 run_bash {"tool_name":"run_bash"} \'ls -la\' end {"tool_name":"run_bash","status":"failed","error":"The call of \'run_bash\' holds something that is not an argument."}',
        "seg_2 text ' IMPORTANT'",
      ],
    ],
    [
      'that holds a comment fails, and what follows is not lost',
      '<tool name="run_bash"><!-- x --><arg name="command">ls</arg></tool> after',
      [
        'seg_1 run_bash {"tool_name":"run_bash"} \'<!-- x --><arg name="command">ls</arg>\' end {"tool_name":"run_bash","status":"failed","error":"The call of \'run_bash\' holds something that is not an argument."}',
        "seg_2 text ' after'",
      ],
    ],
    [
      'shows what may have become an entity when it is cut off',
      '<tool name="run_bash"><arg name="command">ls &am',
      [
        'seg_1 run_bash {"tool_name":"run_bash"} \'ls &am\' end {"tool_name":"run_bash","status":"incomplete"}',
      ],
    ],
    [
      'takes its closing tags in any case',
      '<tool name="write_file"><ARGUMENTS><arg name="path">/x</ARG><arg name="content">c</Arg></Arguments></TOOL>.',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/x"} \'c\'',
        "seg_2 text '.'",
        'run seg_1 write_file {"path":"/x","content":"c"}',
      ],
    ],
    [
      'reads its path beside its name, and fails with anything else there',
      '<tool name="write_file" path="/x"><arg name="content">c</arg></tool><tool name="write_file" path="/x" mode="append"><arg name="content">c</arg></tool>',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/x"} \'c\'',
        'seg_2 write_file {"tool_name":"write_file","path":"/x"} \'c\' end {"tool_name":"write_file","path":"/x","status":"failed","error":"The argument \'mode\' is an attribute, which this format does not read."}',
        'run seg_1 write_file {"path":"/x","content":"c"}',
      ],
    ],
    [
      'keeps further arguments',
      '<tool name="write_file"><path>/x</path><mode>append</mode><content>c</content></tool>',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/x"} \'c\'',
        'run seg_1 write_file {"path":"/x","mode":"append","content":"c"}',
      ],
    ],
  ])
})

describe('<tool> for a tool whose headline is called like the attribute that names tools', () => {
  check({ tools: [{ name: 'make', streams: 'text', headlines: ['name'] }] }, [
    [
      'has it as an argument',
      '<tool name="make"><arg name="name">n</arg><arg name="text">t</arg></tool>',
      ['seg_1 tool_call {"tool_name":"make","name":"n"} \'t\'', 'run seg_1 make {"name":"n","text":"t"}'],
    ],
  ])
})
